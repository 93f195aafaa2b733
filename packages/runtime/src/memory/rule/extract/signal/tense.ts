// Whether a sentence tells what happened, or what holds. By the forms of its verbs, without a list of topics. Pure.

const past =
  /(?<!\b(?:is|are|be|been|being|has|have|gets?|get|to|must|should|will|can|'s|'ve|'re|i'm|the|a|an|no|not|as|by|in|with|only) )\b(?:was|were|had|did|didn't|wasn't|weren't|went|came|got|said|told|asked|rang|took|left|made|gave|found|lost|sat|stood|saw|heard|felt|knew|thought|kept|ran|broke|fell|drove|ate|drank|slept|woke|spoke|wrote|sent|brought|bought|met|won|threw|held|began|forgot|chose|[a-z]{2,}[a-df-z]ed|[a-z]+ied)\b/g
const present =
  /\b(?:is|are|am|i'm|we're|they're|you're|it's|that's|he's|she's|do|does|don't|doesn't|has|have|i've|we've|will|won't|[a-z]+'ll|must|should|can|can't|may|needs?|wants?|wanna|always|never|from now|goes|gets|stays?|keeps?)\b/

export function pastVerbs(core: string): number {
  return core.match(past)?.length ?? 0
}

/** "Then they cut me off and I had to start again": nothing in it holds now. */
export function tellsStory(core: string): boolean {
  return pastVerbs(core) > 0 && !present.test(core)
}
