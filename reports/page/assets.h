/* Files that the build puts into the program (embed.cmake): each as a text. */
#ifndef REPORTS_PAGE_ASSETS_H
#define REPORTS_PAGE_ASSETS_H

extern const char assets_page_css[], assets_page_js[], assets_plot_gp[], assets_winners_h_in[];

#endif
