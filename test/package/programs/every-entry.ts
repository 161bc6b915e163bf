/** Every entry by its types, for a project that has none of TypeScript's libraries but the language. */
export type * as core from 'kube-berth';
export type * as browser from 'kube-berth/browser';
export type * as cel from 'kube-berth/cel';
export type * as cluster from 'kube-berth/cluster';
export type * as plugins from 'kube-berth/plugins';
export type * as testing from 'kube-berth/testing';
export type * as apiserver from 'kube-berth-cli/apiserver';
