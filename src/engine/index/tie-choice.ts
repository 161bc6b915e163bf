import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { ALL_TIES, type DrawTie, type TieBreak } from '../../framework/tie-break.ts';
import type { WindowBest } from './node-search-record.ts';
import type { SignatureIndex } from './signature-index.ts';
import type { TopologyBest } from './topology-totals.ts';

export interface TieChoiceModules {
  readonly cluster: ClusterState;
  readonly tieBreak: TieBreak;
  readonly draw: DrawTie;
  /** `draw` returns an index below this number. */
  readonly drawnTies: number;
}

/** The choice among equally good nodes that the index has found. */
export class TieChoice {
  readonly rule: TieBreak;
  /** The number of equally good nodes that must be listed. */
  readonly wantedTies: number;
  /** The number of these whose places in the order of nodes matter. */
  readonly orderedTies: number;
  readonly #cluster: ClusterState;
  readonly #draw: DrawTie;

  constructor({ cluster, tieBreak, draw, drawnTies }: TieChoiceModules) {
    this.rule = tieBreak;
    this.wantedTies = tieBreak === 'random' ? drawnTies : ALL_TIES;
    this.orderedTies = tieBreak === 'random' ? drawnTies : 1;
    this.#cluster = cluster;
    this.#draw = draw;
  }

  /** Picks one of several equally good nodes; `root` computes upstream's choice. Returns null if it is unknown. */
  pick(slots: Int32Array, root?: () => number): number | null {
    if (this.rule === 'upstream') return root === undefined ? null : root();
    const nameOf = (rank: number): string => this.#cluster.nodeNameAt(slots[rank] ?? -1);
    return slots[this.rule === 'random' ? this.#draw(slots.length, nameOf) : 0] ?? null;
  }

  pickInWindow(index: SignatureIndex, best: WindowBest): number | null {
    if (this.rule === 'upstream') return best.root;
    if (best.ties === 1 || this.rule === 'first') return best.first;
    return this.pick(index.tiesInWindow(best, this.wantedTies));
  }

  /**
   * Picks one of the best nodes, which stand in several columns. With `lists` all are counted, though the first is
   * taken.
   */
  pickInColumns(
    index: SignatureIndex,
    { columns }: TopologyBest,
    lists: boolean,
  ): { readonly slot: number | null; readonly ties: number } {
    const isFirst = this.rule === 'first';
    const [column] = columns;
    // Most pods have one best column, and need no list.
    if (isFirst && !lists && column && columns.length === 1) return { slot: index.firstBest(column), ties: 1 };
    const slots = isFirst
      ? index.inOrder(Int32Array.from(columns, (column) => index.firstBest(column)).sort())
      : this.#tiesIn(index, columns);
    const slot = slots.length > 1 ? this.pick(slots) : (slots[0] ?? null);
    const countsAll = isFirst && lists;
    const ties = countsAll
      ? columns.reduce((sum, each) => sum + index.listBest(each, ALL_TIES, 1).length, 0)
      : slots.length;
    return { slot, ties };
  }

  /** Lists the best slots of some columns in the order in which their nodes were added. */
  #tiesIn(index: SignatureIndex, columns: TopologyBest['columns']): Int32Array {
    const [first] = columns;
    if (columns.length === 1 && first !== undefined) return index.listBest(first, this.wantedTies);
    // Each list of ties overwrites the one before, so it is copied.
    const lists = columns.map((column) => index.listBest(column, this.wantedTies).slice());
    const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const list of lists) {
      all.set(list, end);
      end += list.length;
    }
    return index.inOrder(all.sort());
  }
}
