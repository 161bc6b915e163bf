import { describe, expect, it } from 'vitest';
import { functionTimes } from '../../../src/cli/profile/cpu-samples.ts';
import { functionBytes } from '../../../src/cli/profile/heap-samples.ts';

const callFrame = (functionName: string, lineNumber = 0) => ({
  ...{ functionName, lineNumber, columnNumber: 0, scriptId: '1' },
  url: functionName.startsWith('(') ? '' : 'file:///x/dist/lib/a.js',
});

describe('functionTimes', () => {
  it('adds up own times, and counts what a function calls once', () => {
    const nodes = [
      { id: 1, callFrame: callFrame('(root)'), children: [2, 5] },
      { id: 2, callFrame: callFrame('walk', 9), children: [3, 4] },
      { id: 3, callFrame: callFrame('walk', 9) },
      { id: 4, callFrame: callFrame('leaf', 20) },
      { id: 5, callFrame: callFrame('leaf', 20) },
    ];
    const profile = {
      nodes,
      startTime: 0,
      endTime: 9,
      samples: [2, 3, 4, 5, 4],
      timeDeltas: [1000, 2000, 3000, 500, 500],
    };
    expect(functionTimes(profile)).toEqual([
      { name: 'leaf', place: 'lib/a.js:21', selfMillis: 4, totalMillis: 4 },
      { name: 'walk', place: 'lib/a.js:10', selfMillis: 3, totalMillis: 6.5 },
      { name: '(root)', place: '', selfMillis: 0, totalMillis: 7 },
    ]);
  });

  it('has nothing to say about an empty profile', () => {
    expect(functionTimes({ nodes: [], startTime: 0, endTime: 0 })).toEqual([]);
  });
});

describe('functionBytes', () => {
  it('adds up what each function allocated itself', () => {
    const leaf = { callFrame: callFrame('leaf', 3), selfSize: 100, id: 3, children: [] };
    const again = { callFrame: callFrame('leaf', 3), selfSize: 50, id: 4, children: [] };
    const walk = { callFrame: callFrame('walk', 1), selfSize: 0, id: 2, children: [leaf, again] };
    const head = { callFrame: callFrame('(root)'), selfSize: 10, id: 1, children: [walk] };
    expect(functionBytes({ head })).toEqual([
      { name: 'leaf', place: 'lib/a.js:4', bytes: 150 },
      { name: '(root)', place: '', bytes: 10 },
    ]);
  });
});
