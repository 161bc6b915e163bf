/**
 * The rule by which one of several nodes with the best total is selected.
 *
 *   first      the node that was added first
 *   random     a node that is drawn by the seed, all with the same chance
 *   upstream   as kube-scheduler v1.36 with one worker: the root of the heap over the nodes in the order they were
 *              found
 */
export type TieBreak = 'first' | 'random' | 'upstream';

/**
 * Draws the rank of one of several nodes for `random`. `nameOf` returns the names of the tied nodes, in the order in
 * which they were added.
 */
export type DrawTie = (ties: number, nameOf?: (rank: number) => string) => number;

/** A limit that no number of tied nodes exceeds. */
export const ALL_TIES = 2 ** 31 - 1;
