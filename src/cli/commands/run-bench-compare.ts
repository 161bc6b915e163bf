import { compareReports } from '../../benchmark/compare/compare-reports.ts';
import { readReport } from '../../benchmark/compare/read-report.ts';
import { shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { formatComparison } from '../output/comparison-table.ts';
import { benchComparisonPage } from '../pages/bench-comparison-page.ts';
import { originFacts } from '../pages/origin-facts.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { Provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { percentChange } from '../text/numbers.ts';

/** The flags of `berth bench compare`. */
export interface CompareFlags {
  readonly output: 'table' | 'json';
  readonly failAbove?: number;
  readonly report?: string;
}

/** The largest report that is read; a result takes about a kilobyte. */
const REPORT_MAX_BYTES = 64 * 2 ** 20;

/** The exit code when a case has become slower than allowed. */
const EXIT_SLOWER = 2;

/** Compares the reports in two files, and returns the exit code. @throws CodedError */
export async function compareFiles(
  [a, b]: readonly [string, string],
  { output, failAbove, report }: CompareFlags,
  terminal: Terminal,
  origin: Provenance,
): Promise<number> {
  const named = async (name: string) => {
    const file = shownName(name);
    const bytes = await terminal.files.read(name, REPORT_MAX_BYTES);
    return { name: file, report: readReport(decodeUtf8(bytes, file, 1), file) };
  };
  const page = report === undefined ? null : terminal.createFile(report);
  const [first, second] = [await named(a), await named(b)] as const;
  const comparison = compareReports(first, second);
  page?.write(reportFile(benchComparisonPage([first, second], comparison, originFacts(origin))));
  page?.close();
  await terminal.print(
    output === 'json' ? `${JSON.stringify(comparison, null, 2)}\n` : formatComparison(comparison, terminal.columns),
  );
  if (failAbove === undefined) return 0;
  const slower = comparison.cases.filter(({ ratio, isSignificant }) => isSignificant && ratio < 1 - failAbove / 100);
  for (const { name, ratio } of slower) terminal.log(`slower than allowed: ${name}: ${percentChange(ratio)}`);
  return slower.length > 0 ? EXIT_SLOWER : 0;
}
