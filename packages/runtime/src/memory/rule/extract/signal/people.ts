// Who someone is, what they do, and how to reach them.
import { namesIn, peopleIn } from '../names.ts'
import { channels, partVerbs, roles } from '../words.ts'
import { type Signal, says, when } from './signal.ts'

const role = roles.join('|')
const part = partVerbs.join('|')
const channel = channels.join('|')

const roleBeside = new RegExp(
  String.raw`(?:is|are|'s|as|was) (?:now )?(?:my|our|the|a|an|his|her|their|your)?\b.{0,40}\b(?:${role})\b|\b(?:my|our|the|their|his|her)\b.{0,30}\b(?:${role})\b|, (?:the |a |an )?[\w ]{0,20}(?:${role})\b`,
)
const roleAndName = new RegExp(String.raw`\b(?:${role}),? (?:is |called |named )?\p{Lu}|\p{Lu}\p{Ll}+'s (?:\w+ ){0,2}(?:${role})\b`, 'u')
const pronounWithRole = new RegExp(
  String.raw`^(?:he|she|they)(?:'s|'re| is| are| was) (?:also |now |still )?(?:my|our|the|a|an|their)\b.{0,40}\b(?:${role})s?\b`,
)
const doesPart = new RegExp(
  String.raw`^(?:,[^,]{2,40},|\s\([^)]{2,40}\))?(?:'s people)?\s(?:from [\w ]{2,20} )?(?:also |now |only |still |usually |always |never |mostly |just )*(?:${part})\b(?! (?:it|me|you|if|that|hi|hello|to know|everyone says)\b)`,
)
const pronounDoesPart = new RegExp(
  String.raw`^(?:he|she)(?:'ll)? (?:also |now |only |still |usually |always |never |mostly |just |basically )*(?:${part}|only|do|want|need)\b(?! (?:it\b|me|you|if|that\b|\w+er\b))`,
)
const didOnce = /\b(?:wrote|sent|said|made|did|told|broke|found|fixed|called) (?:it|this|that|me|us)\b/

export const people: readonly Signal[] = [
  when(
    'someone with a role',
    'relationship',
    4,
    ({ core, written }) => peopleIn(written).length > 0 && (roleBeside.test(core) || roleAndName.test(written)) && !didOnce.test(core),
  ),
  when('pronoun with a role', 'relationship', 3, ({ core }) => pronounWithRole.test(core)),
  when('what someone does', 'relationship', 3, ({ written }) =>
    namesIn(written).some(
      ({ start, end }) => (start < 12 || /[:;,] (?:and |but )?$/.test(written.slice(0, start))) && doesPart.test(written.slice(end)),
    ),
  ),
  when('what a name does', null, 3, ({ written }) =>
    namesIn(written).some(
      ({ start, end }) =>
        start < 4 &&
        /^(?:'s \w+)? (?:only |never |always |also |now )?(?!says|asks|thinks|looks|seems|feels|wonders|hopes|knows|means|sounds|gets|calls|was|is|has (?!the\b|access|a key|keys)|does|its|this|sends|brings|arrives|leaves|starts|says|wants to (?:know|see|talk)|laughs|agrees|takes ages|crashes|fails|breaks|hangs|keeps)[a-z]+(?<!s)s\b(?! (?:it|me|you|if|that|this|hi|hello|to know|again)\b)/.test(
          written.slice(end),
        ),
    ),
  ),
  when('what that person does', 'relationship', 2.5, ({ core }) => pronounDoesPart.test(core)),
  says(
    'how to reach someone',
    'relationship',
    3,
    new RegExp(
      String.raw`\b(?:reach(?:es|ed|able)?|contact|get|message|ping|write to|find|catch|hit up|go through|goes? through|update|notify|tell|inform) (?:\w+ ){0,2}(?:her|him|them|\w+ ?\w*) (?:only |best |just |always )?(?:on|by|via|in|through|over|at|with) (?:the |a )?(?:${channel})\b`,
    ),
    new RegExp(
      String.raw`\b(?:only|never|always|(?:doesn't|hardly|rarely|barely) (?:read|answer|use|check|like|look at|do)s?|prefers?|wants?|lives? (?:in|on)|answers?|reads?|looks? at|responds?|checks?|uses?|expects?) (?:\w+ ){0,5}(?:${channel})\b`,
    ),
    new RegExp(String.raw`\b(?:${channel}) person\b`),
  ),
  says(
    'what my people do',
    'relationship',
    3,
    new RegExp(
      String.raw`\b(?:my|our|the|his|her) (?:\w+ )?(?:${role}) (?:also |now |only |still |usually |always |never |mostly |just )*(?:${part})\b(?! (?:it|me|you|if|that|this|hi|hello|to know)\b)`,
    ),
  ),
  says(
    'what an institution does',
    'semantic',
    3,
    /^(?:the|our|my) (?:\w+ )?\w+ (?:always |also |only |still )?(?:pays|provides|funds|covers|requires|supplies|sponsors|organises|organizes|delivers|insists|demands|lets us|allows|forbids|charges|lends|rents|owns)\b/,
  ),
  when('someone changed their place', 'relationship', 3, ({ written }) =>
    namesIn(written).some(
      ({ start, end }) =>
        start < 4 &&
        /^ (?:has |have |just |now |recently )*(?:took over|taken over|retired|left|resigned|quit|joined|was promoted|got promoted|is leaving|is joining|moved to|went on (?:parental|maternity|sick) leave)\b(?! (?:it|me|the (?:room|office|house|party)|a (?:note|message)|early))/.test(
          written.slice(end),
        ),
    ),
  ),
  says(
    'applies to all',
    'preference',
    3,
    /^(?:anything|everything|everyone|anyone|nothing|nobody|no one|whoever|all|any|no|every|each)\b(?: \S+){0,6} (?:needs?|goes|must|requires?|gets?|has to|have to|happens|leaves|passes|comes|is (?:allowed|reserved|named|sent|done|reviewed|checked)|are (?:named|sent|done|reviewed|checked|written))\b(?! (?:wrong|well|on|fine))/,
  ),
  says(
    'who is responsible',
    'relationship',
    2.5,
    /\b(?:in charge of|responsible for|takes care of|looks after|signs? off|has the final say|final say|has to approve|must approve|approval|without (?:her|his|their|\w+'s) (?:ok|okay|approval|consent|sign-?off)|has to pass (?:her|him|them)|goes? (?:to|through) (?:her|him|them)|reports? to|took over|takes over|replaces|is the (?:person|one) (?:who|for)|point of contact|go-to person|first point)\b/,
  ),
]
