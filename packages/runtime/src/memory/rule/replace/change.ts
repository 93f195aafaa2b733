// Words that say that something is different from now on. Pure.

const change =
  /\b(?:now|from (?:now|here|\w+day) on|from (?:today|tomorrow|tonight|next \w+)|as of|starting|any ?more|no longer|instead|after all|once more|differently|from the \d{1,2}(?:st|nd|rd|th)|these days|gone back|isn't happening|(?:is|are) (?:finished|moot)|too (?:late|early|slow|expensive|much)\b.{1,20}\bnow|not (?:\d|half )|(?:daily|weekly|monthly) (?:is|was) |(?:bring|move|push|pull|put|shift)\b.{1,40}\b(?:forward|back|earlier|later)|(?:switch|mov|chang|drop|go|went|migrat|convert|upgrad|shift|postpon|push|stretch|cut|rais|extend)(?:e|ed|es|ing|s)?(?: [\w'-]+){0,6} (?:to|until)|replac(?:e|es|ed|ing)|for good|for real|isn't (?:good )?enough|scrapp?(?:ed|ing)?|dropp?(?:ed|ing)?|shelved|cancell?ed|is (?:out|in|dead|gone|history|off|over))\b/iu
/** One thing is given up for another. */
const switching =
  /\b(?:(?:switch|switched|switching|moved|moving|migrated|migrating|changed|changing|gone|went|going) (?:over |back )?to|replac(?:es|ed|ing)|back to|instead)\b/iu

/** "We're going to Seatwell", "I've gone back to the sheet": what is given up may be named before. */
const leaving =
  /\b(?:we|i|we're|i'm|we've|i've|we'll|i'll|let's)\b(?: [\w']+){0,2}? (?:switch|switching|switched|mov(?:e|ing|ed)|migrat(?:e|ing|ed)|chang(?:e|ing|ed)|going|gone|went)(?: over| back| everything| it all)? to (?!bed|sleep|work|school|lunch|dinner|be |have |do |get |make |need |see |try |say )/iu

/** What was before is mentioned, ended or denied: enough only beside a memory that means nearly the same. */
const hint =
  /\b(?:again|back|new|now|after all|these days|chang(?:ed|ing) my mind|change of plans?|stop (?:the|that|all)|not \w+ing|(?:is|are|it's) (?:off|out|dead|gone|over|history)|no (?!idea|problem|worr|need|wait|thanks|way|doubt|wonder)\p{L}+)\b/iu

export function hintsAtChange(text: string): boolean {
  return hint.test(text)
}

export function leaves(text: string): boolean {
  return leaving.test(text)
}

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
