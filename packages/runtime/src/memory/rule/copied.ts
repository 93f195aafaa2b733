// Whether a statement repeats a text nearly word by word. What a page or a file says is no conclusion of the agent, even if nothing in it
// looks dangerous. Pure.

/** Words that must follow each other in the text, too. */
const run = 3
/** The share of a statement's word sequences that must occur in the text. */
const share = 0.6

export function isCopied(content: string, texts: readonly string[]): boolean {
  const sequences = sequencesOf(content)
  if (sequences.length === 0) return false
  return texts.some((text) => {
    const normalText = ` ${normal(text)} `
    return sequences.filter((sequence) => normalText.includes(` ${sequence} `)).length >= sequences.length * share
  })
}

/** With fewer words, a statement is too short to be recognized. */
function sequencesOf(content: string): readonly string[] {
  const words = normal(content).split(' ')
  return words.slice(0, 1 - run).map((_, at) => words.slice(at, at + run).join(' '))
}

/** An escaped end of a line is one, too: most results are JSON. */
function normal(text: string): string {
  return text
    .replace(/\\[nrt]/g, ' ')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\p{P}\p{S}]+/gu, ' ')
    .trim()
}
