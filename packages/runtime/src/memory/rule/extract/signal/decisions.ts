// What was decided, and what no longer holds.
import { type Signal, says } from './signal.ts'

export const decisions: readonly Signal[] = [
  says(
    'decided',
    'decision',
    4,
    /\b(?:we|i|they|\w+ and (?:i|me)|the (?:team|board|group|committee|lab)|everyone|all of us)(?:'ve| have|'d| had)?(?: now| just| all| both| finally| also| already| since)? (?:decided|agreed|settled|chose|chosen|opted|picked|resolved|voted|committed to|signed off on|landed on|ended up with|went with|gave up on|ruled out|said yes to|greenlit|approved)\b(?! (?:to disagree|yet))/,
    /\b(?:it's|that's|this is|is|was|are|that was|all) (?:now |all |finally )?(?:decided|settled|agreed|final|official|set in stone|non-negotiable|a done deal|locked in|confirmed|so it's fixed)\b/,
    /\b(?:decision|verdict|ruling|agreement|conclusion|outcome|resolution)(?: is| was|:| on)\b/,
    /\b(?:we agreed|agreed) (?:on|to|that)\b|\bas agreed\b|\bmade up my mind\b|^we said (?!we|that we|hi|goodbye|no\b|yes\b|so)|\bfinal (?:answer|decision|call)\b/,
  ),
  says(
    'goes with',
    'decision',
    4,
    /\b(?:let's|lets|we|we'll|we're|i'll|i'm|i am|we are|gonna|going to) (?:just |now |all |both |definitely |probably |actually |then |still )?(?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on|standardi[sz]e on|keep(?:ing)? (?:the|our|with)(?! old name| \w+ name)|standardi[sz](?:e|ing) on|tak(?:e|ing) (?!it\b|a |an |the (?:bus|train|day|afternoon|metro|kids|dog|car|week|rest|morning|tram|bike|cheaper|first|second|other)|my |notes|over|off\b|care|turns|part|him|her|them|that|this|\w+ (?:to|out)\b)|us(?:e|ing) (?!it\b|that\b|this\b|the (?:first|second|other|old|new|last)\b)|adopt(?:ing)?|switch(?:ing)? to|mov(?:e|ing) (?:over )?to|migrat(?:e|ing) to|stay(?:ing)? (?:with|on)|do(?:ing)? it:|doing (?!fine|ok|well|great|good|this|that|nothing|my|our|the (?:dishes|laundry)|taxes|it\b(?! in))|choos(?:e|ing)|pick(?:ing)?(?! (?:this|that|it|him|her|them|up)\b)|drop(?:ping)?|replac(?:e|ing)|ditch(?:ing)?|scrap(?:ping)?|freez(?:e|ing)|postpon(?:e|ing)|cancel(?:ing|ling)?)\b/,
    /\b(?:i've|we've|i have|we have|i|we) (?:now |just |finally |already )?(?:moved|switched|migrated|changed|converted) (?:over |back |all )?(?:to|from)\b(?! (?:the other|another|that|this|it|bed|sleep)\b)/,
    /^(?!.*\b(?:as|how|what|that|so|where|than|fine|think|like) it is)(?!(?:so|as|that|fine|how)\b)[\w .'-]{2,40} it is\b[.!,]?(?:$| then)|\bit'll be\b|\bit's going to be\b/,
  ),
  says(
    'we use',
    'decision',
    3,
    /\bwe(?:'ll| will)? (?:always |only |now |all |just |currently |still |also |both )?(?:use|run|build|deploy|ship|host|store|write|test|target|support|freeze|charge|skip|drop|scrap|keep|go (?:with|for|by|through|back to)|do|don't (?:use|do|support|ship|deploy|need|have|allow|accept|work|write|touch|publish|take|charge|store)|never|pay|meet (?:every|on|once|at \d)|review|follow|call|name|cite|publish|submit|measure|sample|report|rent|own|live|sell|buy|pay|teach)\b(?! (?:it|that|this|you|there|lunch|dinner)\b)/,
  ),
  says(
    'changes course',
    'decision',
    3.5,
    /\b(?:scrap|ditch|forget about|kill off|shelved?|scrapped|(?:we|we've|is|was|are|were|been) (?:\w+ )?dropped|^dropped|dropping|ditched|abandon(?:ed|ing)?|cancel(?:l?ed)?|call(?:ed|ing)? off|(?:we're|i'm|it's|now|so|actually|just|then|are|is) back to (?!work|bed|sleep|normal|square|the (?:plot|code|topic|question))|^back to (?!work|bed|sleep|normal|square|the (?:plot|code|topic|question|file))|we (?:went|go) back to|we're going back to|reverted to|no longer|not .{1,30} any ?more|isn't .{1,40} any ?more|doesn't .{1,40} any ?more|changed my mind|change of plans?|off the table|(?:is|are) (?:history|no more|obsolete)|has changed|have changed|(?:we're|i'm|am|are) done with|not happening|fell through|gone back to|off the (?:menu|list|agenda|plan|roadmap)|slipped to|slips to|^scratch the|in the end we|no more (?!coffee|tea|beer|milk|questions|time|energy|jokes|than)|(?<!make it )instead(?! of (?:a|an|the|this|that)\b)|replac(?:es|ed|ing)|supersedes?|was a mistake|moves? (?:to|from|up|forward|back)|moved to|moving (?:to|the)|pushed (?:back|to|forward)|postponed|rescheduled|brought forward|bring .{1,40} forward|extended (?:to|until|by)|delayed (?:to|until)|is now|are now(?! \w+ing)|now (?:is|uses?|runs?|goes|lives?|works?|wants?)|as of (?:today|now|monday|next|this|\d)|starting (?:today|now|monday|next|with|from|in|on)|effective|for now it's|(?<!results? )(?:is|are) in(?:[.,!]|$)|no replacement|we're back)\b/,
    /\b[\w.@/-]+ out, [\w.@/-]+ in\b|(?:^|, )so no \w+|\bfrom [\w ]{2,20} on(?:wards?)?,? (?:it's|we|use|only|no|the|it)\b/,
  ),
  says(
    'stays or will be',
    'decision',
    3,
    /\b(?:stays?|remains?|will be|won't be|is going to be|are going to be|becomes?)\b(?! (?:there|here|fun|back|fine|ok|late|done|ready|home|in bed|up)\b)/,
  ),
  says(
    'goes somewhere',
    'decision',
    3,
    /(?<!\b(?:it|this|that|he|she|they|i|we|you) )\b(?<!'ll )(?:gets? (?!back|\w+ing\b|it\b|worse|better|old|hot|cold|late|stuck|the idea|this|that|a raise|a bit)|goes (?:to|into|in|through|via|out|by|on|under|with|first)|go (?:to|into|in|through|via|out|by|under) (?!bed|sleep|lunch|dinner|the (?:dentist|gym|shop))|comes? from|is going to|are going to|will (?:use|get|have|run|go|stay|need|happen|start|open|close|take|live|move)|they'll (?:use|get|have|need)|may (?!be|have|i|you|go))\b/,
  ),
  says('is gone', 'decision', 1.5, /\b(?:is|are) (?:dead|out|gone|off)\b(?! (?:sick|today|of|for lunch|there|here))/),
  says(
    'plans it',
    'decision',
    3,
    /\b(?:we're|we are|i'm) (?:now |also )?(?:phasing out|introducing|rolling out|hiring|retiring|selling|buying|renovating|launching|expanding|merging|outsourcing|raising|closing|opening|getting (?:a|an|new|rid|another)|adding (?:a|an|another)|building (?:a|an|our))\b/,
  ),
  says(
    'changes a value',
    'decision',
    3,
    /\b(?:we've|we|i've|i|they|they've) (?:just |now |also )?(?:pushed|moved|shifted|upped|raised|lowered|reduced|increased|extended|shortened|renamed|postponed|bumped|cut) (?!it\b|that\b|this\b|them\b)(?:\S+ ){1,5}(?:to|from|by|until)\b(?! (?:the other|another|docs|tomorrow))/,
  ),
  says(
    'until then',
    null,
    1.5,
    /\buntil (?!now|then|it|he|she|i\b|they|you|noon|\d{1,2}\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|late)\w/,
  ),
  says(
    'gives the reason',
    null,
    1,
    /\b(?:because|since (?!the \d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|last|then)|so that|otherwise|that's why|which is why|reason|due to|thanks to|so (?:people|we|they|i|you|it|nobody|the|old|others)|as (?:it|the|that|we|they|that's|i|there))\b|, so\b/,
  ),
]
