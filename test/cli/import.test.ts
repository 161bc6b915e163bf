import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serve } from '../../src/serving/serve.ts';
import { berth } from './run-berth.ts';

const POD = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'payroll' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }], nodeName: 'node-00001' },
};

describe('berth import', () => {
  it.each(['json', 'yaml'])('prints a cluster as %s that other commands take', async (format) => {
    await using served = await serve({ nodes: 3, scheduler: false });
    await served.create(POD);
    const flags = ['--kubeconfig', served.writeKubeconfig(), '-o', format];
    const { code, out, logged } = await berth(['import', ...flags]);
    expect({ code, logged }).toEqual({
      code: 0,
      logged: [expect.stringMatching(/^read 3 nodes, 1 pods and \d+ other/)],
    });
    const { kind, items } = parse(out) as { kind: string; items: { kind: string; metadata: object }[] };
    expect(kind).toBe('List');
    expect(items.filter((item) => item.kind === 'Node')).toHaveLength(3);
    expect(items.every(({ metadata }) => !('managedFields' in metadata))).toBe(true);
    const scheduled = await berth(['schedule', '-f', 'dump', '--strict', '-q'], { dump: out });
    expect(scheduled).toMatchObject({ code: 0, logged: [] });
  });

  it('names nobody with --anonymise, and says nothing with -q', async () => {
    await using served = await serve({ nodes: 3, scheduler: false });
    await served.create(POD);
    const flags = ['--kubeconfig', served.writeKubeconfig(), '--anonymise', '1', '-q'];
    const { code, out, logged } = await berth(['import', ...flags]);
    expect({ code, logged }).toEqual({ code: 0, logged: [] });
    expect(out).not.toContain('payroll');
    expect(JSON.parse(out).items.filter(({ kind }: { kind: string }) => kind === 'Node')).toHaveLength(3);
  });
});
