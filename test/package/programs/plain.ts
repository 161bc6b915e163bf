/** For Node, Bun and Deno: the package as it is installed. */
import * as library from 'kube-berth';
import { decide } from './table.js';

console.log(decide(library));
