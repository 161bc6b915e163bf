/**
 * `kube-berth/testing`: builders of nodes and pods, and the runner that plays cases on every engine, for tests of your
 * own plugins and configurations.
 *
 * @module kube-berth/testing
 */

export type { CaseObject, GoldenCase, GoldenDecision } from './embedding/golden-case.ts';
export { makeNode, type NodeOptions } from './embedding/make-node.ts';
export { makePod, type PodOptions } from './embedding/make-pod.ts';
export { playCase, recordCase } from './embedding/play-case.ts';
export type * from './index.ts';
