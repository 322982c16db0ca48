/* Files that the build puts into the program (embed.cmake), each as a text: those of this folder, prose of
 * pages, and the form of winners.h. */
#ifndef REPORTS_PAGE_ASSETS_H
#define REPORTS_PAGE_ASSETS_H

extern const char assets_page_css[], assets_page_js[], assets_plot_gp[], assets_winners_h_in[];
extern const char assets_reading_md[], assets_claims_md[], assets_imported_md[],
    assets_controls_md[], assets_agree_reading_md[], assets_gate_reading_md[],
    assets_compare_reading_md[];

#endif
