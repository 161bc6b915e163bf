/**
 * `kube-berth-cli/apiserver`: a Kubernetes cluster in this process, with its API over HTTP, for tests of operators,
 * clients and other schedulers.
 *
 * @module kube-berth-cli/apiserver
 */

export type * from './index-cluster.ts';
export { serve } from './serving/serve.ts';
export { type Pace, type ServedClock, ServeError, type ServeOptions } from './serving/serve-options.ts';
export type { ServedCluster } from './serving/served-cluster.ts';
