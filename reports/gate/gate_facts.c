#include "reports/gate/gate_facts.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/text.h"

static void put_option(FILE *out, const char *option, const char *value) {
    if (!value)
        return;
    fprintf(out, " --%s ", option);
    text_quote(out, value);
}

/* Nothing where nothing was measured. */
static void put_again(const struct gate_call *call, char again[GATE_COMMAND]) {
    FILE *out = call->policy ? fmemopen(again, GATE_COMMAND - 1, "w") : NULL;
    again[0] = again[GATE_COMMAND - 1] = 0;
    if (!out)
        return;
    fputs("gemmgate gate ", out);
    text_quote(out, call->run);
    put_option(out, "policy", call->policy_file);
    put_option(out, "against", call->against);
    put_option(out, "entry", call->store_entry);
    put_option(out, "renamed", call->renamed);
    fputs(call->for_release ? " --release" : "", out);
    fputs(call->absolute ? " --absolute" : "", out);
    fclose(out);
}

void gate_list_facts(const struct gate *gate, char again[GATE_COMMAND],
                     struct gate_fact facts[GATE_FACTS]) {
    const struct about *about = &gate->run.about;
    const json_t *manifest = gate->run.manifest;
    const struct gate_fact list[GATE_FACTS] = {
        {"reason", NULL, gate->reason},
        {"run", NULL, gate->call.run},
        {"set", "Set", about->set},
        {"folder", NULL, jsonfile_text(manifest, "folder")},
        {"previous", "Compared with", gate->base.name},
        {"kernels_commit", "Kernels at", jsonfile_text(manifest, "kernels_commit")},
        {"previous_commit", "Earlier kernels at", jsonfile_text(manifest, "previous_commit")},
        {"commit", "By gemmgate",
         jsonfile_text(json_object_get(manifest, "gemmgate"), "git_commit")},
        {"device", "Device", about->device},
        {"start", "Measured", about->start},
        {"end", NULL, about->end},
        {"plan_hash", NULL, about->hash},
        {"again", NULL, again}};
    put_again(&gate->call, again);
    memcpy(facts, list, sizeof list);
}
