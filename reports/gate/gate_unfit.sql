-- Makes the table `unfit`: `why` nothing that was timed can be trusted; NULL where it can. A comparison shows all.
CREATE TEMP TABLE unfit AS
SELECT CASE WHEN compares THEN NULL
    WHEN run_unfit IS NOT NULL OR confirm_unfit IS NOT NULL
    THEN printf('the controls of %.200s failed, its timings cannot be trusted: %.200s',
                iif(run_unfit IS NULL, confirm_folder, run_folder), coalesce(run_unfit, confirm_unfit))
    WHEN lost > most_disturbed * timed THEN printf('the machine was disturbed while %d of %d rows were timed', lost, timed) END AS why
FROM asked, (SELECT count(*) FILTER (WHERE lens <> '') AS timed, count(*) FILTER (WHERE status = 'environment') AS lost FROM weighed)
