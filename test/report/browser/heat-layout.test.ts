import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutNodes, nodeAt } from '../../../src/report/browser/heat-layout.ts';
import { movedView, wholeView, zoomedView } from '../../../src/report/browser/heat-view.ts';

const groups = fc.integer({ min: 1, max: 8 }).chain((count) =>
  fc.record({
    groupOfNode: fc.array(fc.nat(count - 1), { maxLength: 300 }),
    count: fc.constant(count),
    shape: fc.double({ min: 0.5, max: 4, noNaN: true }),
  }),
);

describe('the map of nodes', () => {
  it('finds each node at its place, and fits into its shape', () => {
    fc.assert(
      fc.property(groups, ({ groupOfNode, count, shape }) => {
        const layout = layoutNodes(groupOfNode, count, shape, 1.5);
        for (const node of groupOfNode.keys()) {
          const [x, y] = [layout.columnOf[node] as number, layout.rowOf[node] as number];
          expect(nodeAt(layout, x + 0.5, y + 0.5)).toBe(node);
          expect(x).toBeLessThan(layout.columns);
          expect(y).toBeLessThan(layout.rows);
        }
        expect(layout.rows * shape).toBeLessThanOrEqual(layout.columns);
        expect(nodeAt(layout, -1, 0)).toBe(-1);
        expect(nodeAt(layout, 0, layout.rows + 1)).toBe(-1);
      }),
    );
  });

  it('is drawn for ten thousand nodes in zones, and for none', () => {
    const zones = Array.from({ length: 10_000 }, (_, i) => i % 3);
    const { columns, rows, places } = layoutNodes(zones, 3, 2.5, 1.5);
    expect(places.map(({ nodes }) => nodes.length)).toEqual([3334, 3333, 3333]);
    expect(columns * rows).toBeLessThan(11_500);
    expect(layoutNodes([], 1, 2, 1)).toMatchObject({ rows: 0, places: [] });
  });
});

describe('the view of the map', () => {
  const extent = { width: 600, height: 300 };
  const whole = wholeView(60, 30, extent);

  it('zooms about a point, which stays where it is', () => {
    const zoomed = zoomedView(whole, whole, 4, 200, 100);
    expect(zoomed).toEqual({ size: 40, left: -600, top: -300 });
    expect(zoomedView(zoomed, whole, 1e-3, 5, 5)).toEqual(whole);
    expect(zoomedView(zoomed, whole, 1e9, 5, 5).size).toBe(160);
  });

  it('does not leave the map', () => {
    const view = { size: 40, left: -600, top: -300 };
    expect(movedView(view, [9999, 9999], [60, 30], extent)).toEqual({ size: 40, left: 0, top: 0 });
    expect(movedView(view, [-9999, -9999], [60, 30], extent)).toEqual({ size: 40, left: -1800, top: -900 });
  });
});
