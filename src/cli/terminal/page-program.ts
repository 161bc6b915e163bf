import { readFileSync } from 'node:fs';
import { buildPage } from '../../report/page.ts';
import type { ReportPage } from '../../report/sections.ts';

// The folder of the built program has the same steps up from src/cli/terminal and, in the bundle, from dist/cli.
const FOLDERS = ['../../build/report/', '../../../build/report/'];

/** The report as one HTML file. */
export function reportFile(report: ReportPage): string {
  return buildPage(report, { script: built('page.js'), style: built('page.css') });
}

function built(name: string): string {
  for (const folder of FOLDERS) {
    try {
      return readFileSync(new URL(folder + name, import.meta.url), 'utf8');
    } catch {
      // The other folder has it.
    }
  }
  throw new Error(`build/report/${name} is not there: run npm run build`);
}
