-- The findings of a comparison, a note a mode and lens.
SELECT iif(high < 1, 'bad', iif(low > 1, 'good', 'note')) AS kind,
    printf('**The new release has %.3f times the speed of the old one** by `%s`, %s', geomean, plain(lens), plain(mode))
    || iif(low IS NULL, '', printf(' (95 %% interval %.3f to %.3f)', low, high))
    || printf(': of %d rows %d are faster, %d slower, %d the same, %d undecided.', shapes, faster, slower, same, undecided)
    || iif(environment, printf(' The machine was disturbed while %d were timed.', environment), '')
    || iif(left_out, printf(' Of %d the visits are left out in which it was disturbed.', left_out), '')
    || iif(unrecorded, printf(' %d are of *unrecorded* kernels.', unrecorded), '') AS text
FROM lines WHERE class = 'all' ORDER BY rowid
