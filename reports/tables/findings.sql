-- Makes the view `findings`: the claims that are `claimed`, with their verdicts. A verdict holds also when shapes of the run
-- without a kernel that has passed count as no gain: there a user falls back on the baseline. Numbers that somebody published are
-- no measurement: they give the claim's value as far as it is printed, in per cent with one digit, or something else. Where the
-- GPU alone differs, `why` has also what the verdict would be on this one.
CREATE VIEW findings AS
WITH told AS (
    SELECT claimed.*, runs.shapes, complete, imported, value - tolerance AS least,
        iif(measured < runs.shapes, as_baseline_low, mean_low) AS whole_low,
        iif(measured < runs.shapes, as_baseline_high, mean_high) AS whole_high,
        iif(instr(lower(device), lower(of_gpu)), '', '; other GPU, not ' || of_gpu) AS other_gpu,
        iif(element = 'f16', '', '; other elements, not f16')
            || iif(inputs = '', '', '; other inputs, ' || inputs || ' and not normal')
            || iif(accumulate = of_accumulate, '', '; other accumulate, not ' || of_accumulate) AS other_work,
        iif(iif(imported = '', set_name = of_set, NOT instr(imported, '_speedup_') OR instr(imported, of_set)), '',
            '; other kernels, not ' || of_set) AS other_set,
        iif(runs.shapes = of_shapes OR (of_suite <> '' AND suite = of_suite AND runs.shapes < of_shapes
                AND plan -> 'only' IS NOT 'true'), '',
            printf('; other shapes, %d and not %d', runs.shapes, of_shapes)) AS other_shapes
    FROM claimed JOIN runs USING (run)),
reasoned AS (
    SELECT *, iif(imported = '',
            other_work || other_set || other_shapes
                || iif(measured, '', printf('; %s was not timed, %s, lens %s', baseline, mode, lens)),
            other_set || CASE WHEN measured = 0 THEN printf('; %s: nothing was published, %s, lens %s', baseline, mode, lens)
                WHEN measured <> of_shapes THEN printf('; other shapes, %d and not %d', measured, of_shapes) ELSE '' END) AS reasons,
        CASE WHEN NOT complete OR mean_low IS NULL OR whole_low IS NULL THEN 'undecided'
            WHEN min(mean_low, whole_low) >= least THEN 'confirmed'
            WHEN max(mean_high, whole_high) < least THEN 'not confirmed' ELSE 'undecided' END AS decision
    FROM told),
decided AS (
    SELECT *, CASE WHEN NOT complete THEN 'the run is not complete'
            WHEN mean_low IS NULL OR whole_low IS NULL
                THEN 'no interval: of one visit nothing shows what another run would say'
            WHEN decision <> 'undecided' THEN ''
            WHEN mean_low >= least OR mean_high < least THEN printf('%d of %d shapes have no kernel that has passed, and with no '
                || 'gain there it would be else', shapes - measured, shapes)
            ELSE 'the interval is too wide' END AS doubt,
        CASE WHEN reasons <> '' OR (imported = '' AND other_gpu <> '') THEN 'not comparable' WHEN imported = '' THEN decision
            WHEN abs(mean - value) > 0.00051 THEN 'differs' ELSE 'agrees' END AS verdict
    FROM reasoned)
SELECT *, CASE WHEN imported <> '' THEN substr(reasons, 3)
        WHEN other_gpu <> '' AND reasons = '' THEN substr(other_gpu, 3) || '; on this one it would be ' || decision
            || iif(doubt = '', '', ' (' || doubt || ')')
        WHEN other_gpu || reasons <> '' THEN substr(other_gpu || reasons, 3) ELSE doubt END AS why,
    iif(verdict = 'differs', 100 * (mean - value), NULL) AS apart,
    verdict = 'differs' AND abs(mean - value) > tolerance AS beyond
FROM decided
