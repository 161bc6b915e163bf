export { makeNode, type NodeOptions } from '../../src/embedding/make-node.ts';
