/** Where a group of nodes stands on the map, in cells. */
export interface GroupPlace {
  readonly group: number;
  readonly top: number;
  readonly nodes: readonly number[];
}

export interface HeatLayout {
  readonly columns: number;
  /** The height of everything, in cells. */
  readonly rows: number;
  readonly places: readonly GroupPlace[];
  /** The room above a group for its name, in cells. */
  readonly titleRows: number;
  /** The column and row of each node. */
  readonly columnOf: Int32Array;
  readonly rowOf: Float64Array;
}

/** Places the nodes, group by group, in rows of a map of this shape (width by height). */
export function layoutNodes(
  groupOfNode: readonly number[],
  groupCount: number,
  shape: number,
  titleRowsWanted: number,
): HeatLayout {
  const members: number[][] = Array.from({ length: Math.max(groupCount, 1) }, () => []);
  for (const [node, group] of groupOfNode.entries()) members[group]?.push(node);
  const filled = members.map((nodes, group) => ({ nodes, group })).filter(({ nodes }) => nodes.length > 0);
  const titleRows = filled.length > 1 ? titleRowsWanted : 0;
  const columns = columnsFor(
    filled.map(({ nodes }) => nodes.length),
    shape,
    titleRows,
  );
  const columnOf = new Int32Array(groupOfNode.length);
  const rowOf = new Float64Array(groupOfNode.length);
  let row = 0;
  const places = filled.map(({ nodes, group }) => {
    const top = row;
    row += titleRows;
    for (const [i, node] of nodes.entries()) {
      columnOf[node] = i % columns;
      rowOf[node] = row + Math.floor(i / columns);
    }
    row += Math.ceil(nodes.length / columns);
    return { group, top, nodes };
  });
  return { columns, rows: row, places, titleRows, columnOf, rowOf };
}

/** The number of columns with which the cells are largest: the fewest whose rows fit. */
function columnsFor(sizes: readonly number[], shape: number, titleRows: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fits = (columns: number): boolean => {
    const rows = sizes.reduce((sum, size) => sum + titleRows + Math.ceil(size / columns), 0);
    return rows * shape <= columns;
  };
  let [low, high] = [1, Math.ceil((total + sizes.length * (titleRows + 1)) * Math.max(1, shape)) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The node at a place of the map, or -1. */
export function nodeAt({ columns, places, titleRows }: HeatLayout, x: number, y: number): number {
  if (x < 0 || x >= columns) return -1;
  const place = places.findLast(({ top }) => top + titleRows <= y);
  if (place === undefined) return -1;
  const index = Math.floor(y - place.top - titleRows) * columns + Math.floor(x);
  return place.nodes[index] ?? -1;
}
