/** A bundle without files beside it: the kernels are part of it, as bytes. */
import * as library from 'kube-berth';
import scalar from 'kube-berth/kernels.scalar.wasm';
import simd from 'kube-berth/kernels.simd.wasm';
import { decide } from './table.js';

console.log(decide(library, { simd, scalar }));
