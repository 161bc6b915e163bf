import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath, onServedPage } from './chromium.ts';
import { INSTALLED_CLI } from './place.ts';

/** Serves a cluster by the packed command while `use` runs, which gets the address of the page. */
async function serving(use: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-page-'));
  const argv = ['serve', '--nodes', '300', '--agents', '--speed', 'paused', '--kubeconfig', join(folder, 'kubeconfig')];
  const child = spawn(process.execPath, [join(INSTALLED_CLI, 'dist/cli/main.js'), ...argv], { cwd: folder });
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  try {
    let errors = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        errors += chunk;
        const [, address] = /a page for browsers: (\S+)/.exec(errors) ?? [];
        if (address !== undefined) resolve(address);
      });
      child.on('close', () => reject(new Error(errors)));
    });
    await use(url);
  } finally {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'huge' },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '90' } } }] },
};

describe('the page of berth serve', () => {
  const chromium = chromiumPath();
  if (chromium === null) {
    it('CHROMIUM IS NOT INSTALLED: the page was not checked', () => expect(chromium).toBeNull());
    return;
  }
  it.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const)('%j: nodes, a pending pod and its explanation, the clock; by keyboard', async (look) => {
    await serving((url) =>
      onServedPage(chromium, url, look, async (page) => {
        // The page allows no evaluation of texts, but functions of the debugger.
        const waitFor = (source: string) =>
          page.waitForFunction(new Function(`return ${source}`) as () => unknown, undefined, { timeout: 60_000 });
        const run = (source: string) => page.evaluate(new Function(`return ${source}`) as () => unknown);
        await waitFor(`document.querySelector('#counts').textContent === '300 nodes, 0 pods'`);
        expect(await run('document.documentElement.scrollWidth <= innerWidth && location.hash')).toBe('');
        await run(`ask('/api/v1/namespaces/default/pods', ${JSON.stringify(POD)})`);
        await run(`document.querySelector('[data-step="1m"]').click()`);
        await waitFor(`document.querySelector('#pending button')?.textContent.includes('Insufficient cpu')`);
        await run(`document.querySelector('#pending button').focus()`);
        await page.keyboard.press('Enter');
        await waitFor(`document.querySelector('#explanation').textContent.includes('300 rejected')`);
        await run(`document.querySelector('#map').focus()`);
        await page.keyboard.press('ArrowRight');
        await waitFor(`document.querySelector('#node').textContent.startsWith('node-00001')`);
        await waitFor(`document.querySelector('#events').textContent.includes('FailedScheduling')`);
        await run(`document.querySelector('[data-speed="1000"]').click()`);
        await waitFor(`document.querySelector('[data-speed="1000"]').getAttribute('aria-pressed') === 'true'`);
        expect(await run(`document.querySelector('#problem').textContent`)).toBe('');
      }),
    );
  });
});
