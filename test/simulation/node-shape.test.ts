import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../src/lib/errors.ts';
import { shapedNodes } from '../../src/simulation/node-shape.ts';

const parseShape = (text: string) => shapedNodes(1, [text])[0]?.status?.allocatable;

describe('a shape', () => {
  it('takes what is said, and defaults', () => {
    expect(parseShape('cpu=64, nvidia.com/gpu=8')).toEqual({
      ...{ cpu: '64', memory: '256Gi', pods: '110', 'nvidia.com/gpu': '8' },
    });
  });

  it.each([
    ['', 'shape "": "" is not a resource and an amount, such as cpu=32'],
    ['cpu', '"cpu" is not a resource and an amount'],
    ['cpu=1=2', '"cpu=1=2" is not a resource and an amount'],
    ['cores=4', '"cores" is no resource'],
    ['cpu=four', 'cpu: "four" is not an amount'],
    ['cpu=-1', 'cpu: "-1" is not an amount'],
    ['cpu=1,cpu=2', 'cpu is given twice'],
  ])('refuses %j', (text, message) => {
    expect(() => parseShape(text)).toThrow(message);
  });

  it('refuses whatever else it is given in a coded error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseShape(text);
        } catch (error) {
          expect(error).toBeInstanceOf(CodedError);
        }
      }),
    );
  });
});

describe('shapedNodes', () => {
  it('gives shapes in turn', () => {
    const nodes = shapedNodes(3, ['cpu=1', 'cpu=2']);
    expect(nodes.map(({ metadata, status }) => [metadata?.name, status?.allocatable?.['cpu']])).toEqual([
      ['node-00000', '1'],
      ['node-00001', '2'],
      ['node-00002', '1'],
    ]);
  });
});
