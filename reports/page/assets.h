/* Files that the build puts into the program (embed.cmake), each as a text: those of this folder, prose of
 * pages, and the form of winners.h. */
#ifndef REPORTS_PAGE_ASSETS_H
#define REPORTS_PAGE_ASSETS_H

extern const char assets_page_css[], assets_page_js[], assets_plot_gp[], assets_winners_h_in[];

/* Templates (query.h). */
extern const char assets_verdict_md[], assets_claims_md[], assets_lenses_md[], assets_gain_md[],
    assets_refused_md[], assets_shapes_md[], assets_energy_md[], assets_imported_md[],
    assets_trust_md[], assets_recordings_md[], assets_again_md[], assets_agree_md[],
    assets_runs_md[], assets_published_md[], assets_measured_md[], assets_reproduce_md[],
    assets_reading_md[], assets_data_md[], assets_gate_page_md[], assets_gate_below_md[],
    assets_findings_md[], assets_compare_page_md[], assets_compare_below_md[], assets_winners_md[];

#endif
