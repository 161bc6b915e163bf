import type { JsonObject } from './live-objects.ts';

/** The pieces of a List as `kubectl get -o json` prints it: keys in order, indented by four spaces. */
export function* jsonList(objects: Iterable<JsonObject>): Generator<string> {
  yield '{\n    "apiVersion": "v1",\n    "items": [';
  let separator = '\n';
  for (const object of objects) {
    yield `${separator}        ${JSON.stringify(object, null, 4).replaceAll('\n', '\n        ')}`;
    separator = ',\n';
  }
  yield '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n';
}

/** The pieces of a List as `kubectl get -o yaml` prints it: items at the margin, long lines folded. */
export function* yamlList(objects: Iterable<JsonObject>): Generator<string> {
  yield 'apiVersion: v1\nitems:\n';
  for (const object of objects) {
    const lines: string[] = [];
    writeMapping(object, 2, lines);
    lines[0] = `- ${lines[0]?.slice(2)}`;
    yield `${lines.join('\n')}\n`;
  }
  yield 'kind: List\nmetadata:\n  resourceVersion: ""\n';
}

const FOLD_COLUMNS = 80;
const RESOLVED = /^(?:[-+.]?\d|true$|false$|null$|~|yes$|no$|on$|off$|y$|n$)/i;
const UNSAFE = /^[\s!&*@`'"%|>[\]{}#,?:-]|[:\s]$|: | #|^$/;

function writeMapping(object: JsonObject, indent: number, lines: string[]): void {
  for (const [key, value] of Object.entries(object)) writeEntry(`${' '.repeat(indent)}${key}:`, value, indent, lines);
}

function writeEntry(head: string, value: JsonObject[string] | undefined, indent: number, lines: string[]): void {
  if (typeof value === 'string') lines.push(...stringLines(head, value, indent));
  else if (typeof value !== 'object' || value === null) lines.push(`${head} ${value}`);
  else if (Array.isArray(value)) {
    lines.push(value.length === 0 ? `${head} []` : head);
    for (const item of value) writeItem(item, indent, lines);
  } else if (Object.keys(value).length === 0) lines.push(`${head} {}`);
  else {
    lines.push(head);
    writeMapping(value as JsonObject, indent + 2, lines);
  }
}

function writeItem(item: JsonObject[string], indent: number, lines: string[]): void {
  const isFilled = typeof item === 'object' && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
  if (!isFilled) {
    writeEntry(`${' '.repeat(indent)}-`, item, indent, lines);
    return;
  }
  const first = lines.length;
  writeMapping(item as JsonObject, indent + 2, lines);
  lines[first] = `${' '.repeat(indent)}- ${lines[first]?.slice(indent + 2)}`;
}

function stringLines(head: string, value: string, indent: number): string[] {
  if (value.includes('\n')) {
    const inner = ' '.repeat(indent + 2);
    const body = value.replace(/\n$/, '').split('\n');
    return [`${head} |${value.endsWith('\n') ? '' : '-'}`, ...body.map((line) => (line === '' ? '' : inner + line))];
  }
  const isQuoted = UNSAFE.test(value) || RESOLVED.test(value);
  const text = !isQuoted
    ? value
    : /^[\d.]|^$|^(?:true|false|null)$/.test(value)
      ? JSON.stringify(value)
      : single(value);
  const lines: string[] = [];
  let line = head;
  for (const word of text.split(' ')) {
    if (line.length > FOLD_COLUMNS && line !== head && word !== '') {
      lines.push(line);
      line = `${' '.repeat(indent + 2)}${word}`;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}

function single(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
