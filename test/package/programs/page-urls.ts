/** A page whose bundler gives the addresses of files. */
import * as library from 'kube-berth/browser';
import scalarUrl from 'kube-berth/kernels.scalar.wasm';
import simdUrl from 'kube-berth/kernels.simd.wasm';
import { decide } from './table.js';

const [simd, scalar] = await Promise.all([
  library.loadKernels({ source: new URL(simdUrl as unknown as string, location.href) }),
  library.loadKernels({ engine: 'scalar', source: new URL(scalarUrl as unknown as string, location.href) }),
]);
Object.assign(globalThis, { isolated: globalThis.crossOriginIsolated, decisions: decide(library, { simd, scalar }) });
