export { makePod, type PodOptions } from '../../src/embedding/make-pod.ts';
