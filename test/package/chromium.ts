import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { tool } from './place.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Nothing of the browser talks to anybody but the page's server. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
  '.wasm': 'application/wasm',
};
const PATIENCE_MILLIS = 60_000;

export interface PageResult {
  readonly isolated: boolean;
  readonly decisions: string;
}

/** The browser, or null where none is installed. */
export function chromiumPath(): string | null {
  return PATHS.find((path) => existsSync(path)) ?? null;
}

/** Opens the page of the folder, and returns the decisions that it makes. */
export function openPage(executablePath: string, folder: string): Promise<PageResult> {
  return onPage(executablePath, folder, async (page) => {
    await page.waitForFunction('globalThis.decisions !== undefined', undefined, { timeout: PATIENCE_MILLIS });
    return (await page.evaluate('({ isolated, decisions })')) as PageResult;
  });
}

/** Presses a button of the page a few times, and returns the text of an element as soon as it has a line for each. */
export function pressed(
  ...[executablePath, folder, button, answer, times]: [string, string, string, string, number]
): Promise<string> {
  return onPage(executablePath, folder, async (page) => {
    const lines = `document.querySelector(${JSON.stringify(answer)}).textContent.split('\\n').length - 1`;
    for (let press = 1; press <= times; press++) {
      const isHeard = `document.querySelector(${JSON.stringify(button)}).click() ?? ${lines} >= ${press}`;
      await page.waitForFunction(isHeard, undefined, { timeout: PATIENCE_MILLIS });
    }
    return (await page.evaluate(`document.querySelector(${JSON.stringify(answer)}).textContent`)) as string;
  });
}

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** Opens a page of a file, or of a server whose certificate nobody vouches for. */
export async function onServedPage(
  executablePath: string,
  url: string,
  { colorScheme, width }: Look,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const { chromium } = (await import(tool('playwright-core/index.mjs'))) as Playwright;
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const errors: string[] = [];
  try {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 }, ignoreHTTPSErrors: true });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(url);
    await use(page);
  } catch (error) {
    throw new Error([...errors, String(error)].join('\n'));
  } finally {
    await browser.close();
  }
}

/** Serves the folder, and opens its page. */
async function onPage<T>(executablePath: string, folder: string, use: (page: Page) => Promise<T>): Promise<T> {
  const { chromium } = (await import(tool('playwright-core/index.mjs'))) as Playwright;
  const server = await serve(folder);
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const errors: string[] = [];
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await use(page);
  } catch (error) {
    throw new Error([...errors, String(error)].join('\n'));
  } finally {
    await browser.close();
    server.close();
  }
}

function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    // A bundle may have another name than the source that the page asks for.
    const names = pathname === '/' ? ['index.html'] : [pathname, pathname.replace(/\.ts$/, '.js')];
    const path = names.map((name) => join(folder, name)).findLast((name) => existsSync(name));
    if (path === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** The part of playwright-core that is used. It is installed apart, so its types are not there. */
interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<{
      newPage(options?: object): Promise<Page>;
      close(): Promise<void>;
    }>;
  };
}

export interface Page {
  readonly keyboard: { press(key: string): Promise<void> };
  readonly mouse: { move(x: number, y: number): Promise<void>; wheel(x: number, y: number): Promise<void> };
  screenshot(options: { readonly path: string; readonly fullPage: boolean }): Promise<unknown>;
  waitForTimeout(millis: number): Promise<void>;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  goto(url: string): Promise<unknown>;
  waitForFunction(
    source: string | (() => unknown),
    argument: undefined,
    options: { readonly timeout: number },
  ): Promise<unknown>;
  evaluate(source: string | (() => unknown)): Promise<unknown>;
}
