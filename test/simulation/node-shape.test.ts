import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../src/lib/errors.ts';
import { parseShape, shapedDevices, shapedNodes } from '../../src/simulation/node-shape.ts';

describe('a shape', () => {
  it('takes what is said, and defaults', () => {
    expect(parseShape('cpu=64, nvidia.com/gpu=8').amounts).toEqual({
      ...{ cpu: '64', memory: '256Gi', pods: '110', 'nvidia.com/gpu': '8' },
    });
  });

  it('takes labels and taints', () => {
    const text =
      'cpu=8,label:pool=gpu,label:topology.kubernetes.io/zone=z,label:bare,taint:gpu=yes:NoSchedule,taint:x:NoExecute';
    expect(parseShape(text)).toMatchObject({
      labels: { pool: 'gpu', 'topology.kubernetes.io/zone': 'z', bare: '' },
      taints: [
        { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
        { key: 'x', effect: 'NoExecute' },
      ],
    });
    const [node] = shapedNodes(1, [text]);
    expect(node?.metadata?.labels).toMatchObject({ pool: 'gpu', 'topology.kubernetes.io/zone': 'z' });
    expect(node?.spec?.taints).toHaveLength(2);
  });

  it('takes devices, with what stands behind them', () => {
    const { amounts, devices } = parseShape('cpu=8,gpu=8,model=h100,vram=80Gi,numa=1,mig=false,nic=2,device:asic=1');
    expect(amounts).toMatchObject({ cpu: '8', memory: '256Gi' });
    expect(devices).toEqual([
      {
        ...{ kind: 'gpu', count: 8, capacity: { vram: { value: '80Gi' } } },
        attributes: { model: { string: 'h100' }, numa: { int: 1 }, mig: { bool: false } },
      },
      { kind: 'nic', count: 2, attributes: {}, capacity: {} },
      { kind: 'asic', count: 1, attributes: {}, capacity: {} },
    ]);
  });

  it.each([
    ['gpu=0', 'gpu=0: expected a number of devices from 1 to 128'],
    ['gpu=8,gpu=2', 'device:gpu is given twice'],
    ['gpu=8,model=a,model=b', 'device:gpu model is given twice'],
    ['device:G=1', 'device:G=1: "G" is no kind of devices'],
    ['model=h100', '"model" is no resource'],
    ['label:a=b,label:a=c', 'label:a is given twice'],
    ['label:-=x', 'label:-=x: name part must consist of alphanumeric characters'],
    ['taint:a=b', 'taint:a=b: expected KEY=VALUE:EFFECT with one of the effects NoSchedule, '],
    ['taint:a:Never', 'taint:a:Never: expected KEY=VALUE:EFFECT'],
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

describe('shapedDevices', () => {
  it('publishes a slice for each node of the shape, and a class', () => {
    const { slices, classes } = shapedDevices(3, ['cpu=8', 'gpu=2,model=h100']);
    expect(slices.map(({ metadata, spec }) => [metadata?.name, spec.nodeName, spec.driver])).toEqual([
      ['node-00001-gpu.berth.dev', 'node-00001', 'gpu.berth.dev'],
    ]);
    expect(slices[0]?.spec.devices?.map(({ name }) => name)).toEqual(['gpu-0', 'gpu-1']);
    expect(classes.map(({ metadata }) => metadata?.name)).toEqual(['gpu.berth.dev']);
    expect(shapedDevices(3, ['cpu=8'])).toEqual({ slices: [], classes: [] });
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
