// Words that say that something is different from now on. Pure.

const change =
  /\b(?:now|from (?:now|here|\w+day) on|from (?:today|tomorrow|tonight|next \w+)|as of|starting|any ?more|no longer|instead|after all|once more|differently|these days|(?:bring|move|push|pull|put|shift)\b.{1,40}\b(?:forward|back|earlier|later)|(?:switch|mov|chang|drop|go|went|migrat|convert|upgrad|shift|postpon|push|stretch|cut|rais|extend)(?:e|ed|es|ing|s)?(?: [\w'-]+){0,6} (?:to|until)|replac(?:e|es|ed|ing)|for good|for real|isn't (?:good )?enough|scrapp?(?:ed|ing)?|dropp?(?:ed|ing)?|shelved|cancell?ed|is (?:out|in|dead|gone|history|off|over))\b/iu
/** One thing is given up for another. */
const switching =
  /\b(?:(?:switch|switched|switching|moved|moving|migrated|migrating|changed|changing|gone|went|going) (?:over |back )?to|replac(?:es|ed|ing)|back to|instead)\b/iu

export function changes(text: string): boolean {
  return change.test(text)
}

export function switches(text: string): boolean {
  return switching.test(text)
}

const here =
  /\b(?:this|the) (?:repo(?:sitory)?|project|folder|app|code ?base|course|site|package|service|paper|book|document|workspace)\b|\bhere\b(?! on)/iu

/** True in one place only: it does not replace what holds elsewhere. */
export function isLocal(text: string): boolean {
  return here.test(text)
}
