/** A page: kernels are fetched from where the bundler has put them. */
import * as library from 'kube-berth/browser';
import { decide } from './table.js';

const [simd, scalar] = await Promise.all([library.loadKernels(), library.loadKernels({ engine: 'scalar' })]);
Object.assign(globalThis, { isolated: globalThis.crossOriginIsolated, decisions: decide(library, { simd, scalar }) });
