import { lineOf, type Problem, type SourceFile } from './source-file.ts';

const FILE_LINES_MAX = 400;
const LINE_COLUMNS_MAX = 120;
const FUNCTION_LINES_MAX = 70;

export function checkFileLines(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    if (lines <= FILE_LINES_MAX) return [];
    return [{ path, line: 0, message: `${lines} lines, at most ${FILE_LINES_MAX}: split it by idea` }];
  });
}

export function checkLineColumns(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const columns = [...line].length;
      if (columns <= LINE_COLUMNS_MAX) return [];
      return [{ path, line: index + 1, message: `${columns} columns, at most ${LINE_COLUMNS_MAX}: break the line` }];
    }),
  );
}

/** A `describe` is a table of contents, not a function to be read at once. */
const DESCRIBE = /^\s*describe\b/;
/** The head of a class, which would look like part of the type of a one-line function before it. */
const A_CLASS = /(?<![\w$.#])class\s[^(){};]*$/;
const NOT_A_FUNCTION = /(?<![\w$.#])(?:if|for|while|switch|catch|with)\s*$|(?<![\w$.#])for\s+await\s*$/;

/** Functions, methods and arrow functions with a body, found by their braces: good enough to count lines. */
export function checkFunctionLines(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const lines = file.text.split('\n');
    return functionBodies(file.code).flatMap(({ start, end }) => {
      const firstLine = lineOf(file.text, start);
      const length = lineOf(file.text, end) - firstLine + 1;
      if (length <= FUNCTION_LINES_MAX || DESCRIBE.test(lines[firstLine - 1] ?? '')) return [];
      const message = `a function of ${length} lines, at most ${FUNCTION_LINES_MAX}: give its steps names`;
      return [{ path: file.path, line: firstLine, message }];
    });
  });
}

/** Ranges from the start of the head (or the opening parenthesis of the arguments) to the closing brace. */
export function functionBodies(code: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const open: number[] = [];
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(headOf(code.slice(0, index)) ?? -1);
    else {
      const start = open.pop() ?? -1;
      if (start >= 0) found.push({ start, end: index });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Where the head of a function begins whose body would open at the end of `before`; undefined if none does. */
function headOf(before: string): number | undefined {
  const head = before.trimEnd();
  if (A_CLASS.test(head)) return undefined;
  const arrow = head.endsWith('=>') ? head.slice(0, -2).trimEnd() : undefined;
  const end = withoutReturnType(arrow ?? head);
  if (!end.endsWith(')')) return arrow === undefined ? undefined : arrow.length - 1;
  const parenthesis = matchingParenthesis(end);
  return NOT_A_FUNCTION.test(end.slice(0, parenthesis)) ? undefined : parenthesis;
}

function withoutReturnType(head: string): string {
  const annotated = /\)\s*:[^(){};]*(?:\([^()]*\)[^(){};]*)?(?:\{[^{}]*\}[^(){};]*)?$/.exec(head);
  return annotated === null ? head : head.slice(0, annotated.index + 1);
}

function matchingParenthesis(head: string): number {
  let depth = 0;
  for (let index = head.length - 1; index >= 0; index--) {
    if (head[index] === ')') depth++;
    else if (head[index] === '(' && --depth === 0) return index;
  }
  return 0;
}
