import { CodedError } from '../lib/errors.ts';
import { latePackage } from '../lib/host-modules.ts';
import { parameterName, parseSetting, type Setting, type Settings } from './settings.ts';

/**
 * Reads a list of combinations: CSV with the names of parameters in its first line, or one JSON object a line. A cell
 * that is empty sets nothing.
 *
 * @throws CodedError `InvalidList` with the line
 */
export function readRunList(text: string, file: string): Settings[] {
  const rows = text.trimStart().startsWith('{') ? jsonRows(text, file) : csvRows(text, file);
  if (rows.length === 0) throw invalid(`${file}: has no runs`);
  return rows;
}

function jsonRows(text: string, file: string): Settings[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = null;
    }
    const place = `${file}:${i + 1}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid(`${place}: is no JSON object`);
    return [settingsOf(Object.entries(value as object), place)];
  });
}

function csvRows(text: string, file: string): Settings[] {
  const { CsvError, parse } = latePackage('csv-parse/sync');
  try {
    const found = parse(text, { bom: true, info: true, skip_empty_lines: true, trim: true });
    const records = found as unknown as { info: { lines: number }; record: string[] }[];
    const [titles, ...rows] = records;
    const names = titles?.record ?? [];
    return rows.map(({ info, record }) =>
      settingsOf(
        record.map((cell, i): [string, string] => [names[i] ?? '', cell]),
        `${file}:${info.lines}`,
      ),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${file}: malformed CSV: ${error.message.split('\n')[0]}`);
  }
}

function settingsOf(entries: readonly (readonly [string, unknown])[], place: string): Settings {
  const settings: Record<string, Setting> = {};
  for (const [title, value] of entries) {
    if (value === '' || value === null) continue;
    if (typeof value === 'object') throw invalid(`${place}: ${title}: is neither text, a number nor a truth value`);
    try {
      const name = parameterName(title);
      settings[name] = parseSetting(name, String(value));
    } catch (error) {
      throw invalid(`${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return settings;
}

function invalid(reason: string): CodedError<'InvalidList'> {
  return new CodedError('InvalidList', reason);
}
