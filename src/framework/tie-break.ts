/**
 * Which of several nodes with the best total is taken.
 *
 *   first      the one that was learned of first
 *   random     one drawn by the seed, all with the same chance
 *   upstream   as kube-scheduler v1.36 with one worker: the root of the heap over the nodes in the order they were
 *              found
 */
export type TieBreak = 'first' | 'random' | 'upstream';

/**
 * Picks one of so many for `random`: its rank. Where nodes tie, `nameOf` tells who they are, in the order in which they
 * were learned of.
 */
export type DrawTie = (ties: number, nameOf?: (rank: number) => string) => number;

/** More equally good nodes than there can be. */
export const ALL_TIES = 2 ** 31 - 1;
