/** CommonJS reaches the library by `import()`. */
async function main(): Promise<void> {
  const library = await import('kube-berth');
  const { decide } = await import('./table.js');
  console.log(decide(library));
}

void main();
