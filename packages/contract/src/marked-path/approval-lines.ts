// Lines of an approval that Tandem composes of words and paths. Only their paths are marked and shown; a command in them is never changed.

export type RewritePath = (path: string) => string

export function fileEffectLine(does: 'read' | 'write' | 'delete', path: string): string {
  return `${does} ${path}`
}

export function commandEffectLine(command: string, folder: string): string {
  return `run ${command} in ${folder}`
}

/** The same line with its path rewritten. In a command line that is what follows the last `in`, so that the command is not changed. */
export function rewriteEffectLine(touch: string, rewrite: RewritePath): string {
  const at = pathOfTouch(touch)
  return at < 0 ? touch : `${touch.slice(0, at)}${rewrite(touch.slice(at))}`
}

function pathOfTouch(touch: string): number {
  const [verb] = /^(?:read|write|delete) /.exec(touch) ?? []
  if (verb !== undefined) return verb.length
  const before = touch.startsWith('run ') ? touch.lastIndexOf(' in ') : -1
  return before < 0 ? -1 : before + ' in '.length
}

/** Rewrites every marked path in a line that lists paths, such as what a restore would restore. Its other words are Tandem's own. */
export function rewritePathList(line: string, rewrite: RewritePath): string {
  return line.replace(/(?<![^\s])\$+(?:WORKSPACE|HOME)(?=[/\s,:]|$)/g, rewrite)
}
