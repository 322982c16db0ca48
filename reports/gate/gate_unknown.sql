-- Lines of the gate count its refused kernels. A mean has no interval where a row has none, or where the earlier run is of another
-- card: what is common to a card does not shrink with the number of shapes.
UPDATE lines SET refused = wrong FROM counts;
UPDATE lines SET low = NULL, high = NULL, shapes_low = NULL, shapes_high = NULL
WHERE (SELECT other_card FROM asked) OR EXISTS (
    SELECT 1 FROM summed WHERE NOT known AND (summed.mode, summed.lens, summed.class) = (lines.mode, lines.lens, lines.class));
