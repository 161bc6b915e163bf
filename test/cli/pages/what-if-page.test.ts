import { describe, expect, it } from 'vitest';
import { pageSections, sectionOf } from '../../builders/read-page.ts';
import { berth, NODES, pod } from '../run-berth.ts';

const OWNED = (name: string, node: string) =>
  pod(name, '2', `nodeName: ${node}, `).replace(
    `{name: ${name}}`,
    `{name: ${name}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}]}`,
  );
const FILES = { 'c.yaml': NODES + OWNED('a', 'n1') + OWNED('b', 'n2') };

describe('the page of a question', () => {
  it('has the answer, the pods with their reasons, and the nodes before and after', async () => {
    const { code, written } = await berth(['what-if', '-f', 'c.yaml', '--lose', 'n2', '--report', 'r.html'], FILES);
    expect(code).toBe(2);
    const page = written['r.html'] ?? '';
    expect(page).toContain('berth what-if -f c.yaml --lose n2 --report r.html');
    expect(sectionOf(page, 'bars', 'Pods concerned')).toMatchObject({
      categories: ['Without a node'],
      series: [{ values: [1] }],
    });
    const [group] = sectionOf(page, 'reasons', 'What becomes of them, and why').groups;
    expect(group).toMatchObject({ count: 1, pods: ['default/b (n2 → –)'] });
    expect(group?.explained).toMatchObject({
      verdicts: [{ plugin: 'NodeResourcesFit', reason: 'Insufficient cpu', count: 1, examples: ['n1'] }],
      verdictOfNode: [0, -1],
    });
    const { frames, nodes } = sectionOf(page, 'heat', 'What is requested of each node');
    expect(nodes).toEqual(['n1', 'n2']);
    expect(frames.map(({ name, percents, lost }) => [name, percents[0], lost])).toEqual([
      ['before', [100, 100], []],
      ['after', [100, 0], [1]],
    ]);
    expect(sectionOf(page, 'table', 'Pods').rows[0]?.slice(0, 4)).toEqual(['default/b', 'Without a node', 'n2', null]);
  });

  it('changes nothing of the answer', async () => {
    const argv = ['what-if', '-f', 'c.yaml', '--lose', 'n2', '-o', 'json'];
    const [plain, reported] = await Promise.all([berth(argv, FILES), berth([...argv, '--report', 'r.html'], FILES)]);
    expect(reported.out).toBe(plain.out);
  });

  it('is there for every question', async () => {
    for (const question of [
      ['--remove-nodes'],
      ['--add-nodes'],
      ['--drain', 'n1'],
      ['--tie-break', 'first', '--lose', 'n1'],
    ]) {
      const { written } = await berth(['what-if', '-f', 'c.yaml', ...question, '--report', 'r.html'], FILES);
      expect(pageSections(written['r.html'] ?? '').map((section) => section?.kind)).toContain('heat');
    }
  });
});
