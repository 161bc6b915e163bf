/**
 * `kube-berth/browser`: the decision core, with kernels that are fetched. It runs on one thread, and needs no
 * SharedArrayBuffer.
 *
 * @module kube-berth/browser
 */

export * from './index.ts';
export type { KernelKind } from './kernels/load.ts';
export { type KernelsToLoad, loadKernels } from './kernels/load-kernels.ts';
