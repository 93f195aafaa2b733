// Words of everyday English that tell what a sentence does. No names and no topics of anyone in particular.

const list = (words: string): readonly string[] => words.trim().split(/\s+/)
const set = (words: string): ReadonlySet<string> => new Set(list(words))

/** What one asks an assistant or a colleague to do now. */
export const requestVerbs = set(`
  add adjust analyze analyse answer append apply approve archive arrange ask assign attach bake benchmark bisect book boost brainstorm bring build bump bundle buy
  calculate call cancel capture change check choose clean clear clone close combine come comment commit compare compile complete compose compress compute condense
  confirm connect continue convert copy correct count create crop cut debug decode define delete deploy describe design diff dig disable distract do document double download
  draft draw drop dump duplicate edit email enable estimate evaluate examine execute expand explain export extend extract factor fetch fetching figure file fill filter find
  finish fix flag flip focus forget format forward free generate get give go grab graph grep group guess handle have help hide highlight hold hurry identify ignore implement
  import improve include increase indent inline insert inspect install introduce investigate join jot keep kill label launch leave link lint list load log look lower
  mail make map mark match measure mention merge message migrate mock modify move mute name narrow note notify open optimize optimise order outline pack parse paste pause pay
  pick pin ping place plan play plot polish port post prefix prepare press print profile proofread propose publish pull purge push put query quote raise read rebase
  rebuild recalculate recap recheck recommend record redo redraw reduce refactor reformat refresh regenerate reinstall reload remind remove rename render reopen reorder
  repeat rephrase replace reply report reproduce reread rerun reschedule reset resize resolve restart restore retry return revert review revise rewrite ring roll rotate round
  run sanity save scan schedule search select send separate set share shorten show shrink shuffle sign simplify sing skip solve sort speak spell split squash stage start stash
  stop store strip structure submit suggest sum summarise summarize swap switch sync tag take talk tell test tidy tighten time toggle touch trace track transcribe
  transfer translate trim try turn type uncomment undo uninstall unpack unzip update upgrade upload use validate verify view visit wait walk warm warn watch wire work wrap
  write zip zoom
`)

/** After "I" or "we" they tell no habit: helping verbs, thoughts, feelings, and past forms that do not end in "-ed". */
export const notHabits = set(`
  am are is was were be been have had has do did does don't can can't could couldn't will won't would wouldn't should shouldn't may might must mustn't need needn't ought
  think thought know knew mean meant guess suppose believe hope hoped wish wonder feel felt see saw seen hear heard want wanted like love hate prefer need forget forgot
  remember understand understood agree agreed doubt bet swear promise say said tell told ask owe get got go went gone come came give gave find found lose lost make made took
  cut let hit hurt quit cost ran won met sat slept ate drank drove rode wrote spoke broke chose flew fell froze grew hid held kept knew led left lent lit paid
  rang rose sang sent shot shut sold spent spread stood stole stuck swam taught threw woke wore bought brought built caught dealt dug fed fought began became
  just never always really almost nearly finally already even then haven't hasn't didn't wasn't weren't isn't aren't gotta wanna try look seem sound appear notice realise
  realize assume expect imagine care mind miss appreciate enjoy apologise apologize admit confess deserve fear regret
  and or but who in on at of too both
`)

/** What happens once and matters later. */
export const eventVerbs = set(`
  crashed failed died leaked migrated upgraded moved launched released approved rejected accepted signed won lost finished passed submitted published hired fired resigned
  quit joined left bought sold flooded burned burnt broke stolen robbed restored corrupted deleted overwrote overwritten wiped delivered installed imported merged deployed
  presented defended hacked expired doubled recalled went gave held started opened closed ended announced voted graduated married rolled reverted replaced repaired cancelled
  canceled postponed granted awarded funded rotten fell collapsed evacuated diagnosed bricked froze overheated tripped contaminated spoiled mislabeled mislabelled swapped
  dead ate flopped turned
`)
/** They tell of an event only beside a time or a verb. */
export const eventNouns = set(`
  outage crash leak migration upgrade launch accident flood fire talk keynote demo presentation interview audit inspection incident breach mistake error power
  invoice double twice burglary surgery hospital permit offer award prize grant contract downtime disaster people failure recall strike
`)

/** Who someone is to someone else. */
export const roles = list(`
  accountant adviser advisor agent analyst archaeologist architect archivist artist assistant attorney aunt babysitter baker bookkeeper boss boyfriend brother builder buyer
  carpenter caretaker ceo cfo chair chairman chairwoman chef chemist child cleaner client coach coauthor co-author cofounder co-founder colleague collaborator commissioner
  conductor consultant contact contractor coordinator coo counsellor counselor courier cousin cto curator customer dad daughter dean dentist designer dev developer devops
  director distributor doctor doctorand donor driver editor electrician employee employer engineer examiner expert father fiance fiancé fiancée flatmate founder friend gardener
  girlfriend godfather godmother grandfather grandma grandmother grandpa guide handyman head host hr husband illustrator inspector instructor intern investor janitor journalist kid
  labmate landlady landlord lawyer lead leader lecturer librarian maintainer manager marketer mayor mechanic medic mentor midwife minister mother mum mom musician nanny neighbor neighbour
  nephew niece notary nurse officer operator owner painter parent partner pharmacist photographer physician physicist physio physiotherapist pi pilot planner plumber pm po postdoc
  president principal producer professor programmer publisher receptionist recruiter rector rep reporter representative researcher responsible reviewer roommate sales scientist
  secretary seller sister son specialist spouse stakeholder statistician steward strategist student successor supervisor supplier surgeon surveyor sysadmin ta tailor teacher teammate technician
  tenant tester therapist trainer translator treasurer trustee tutor uncle undergrad vendor vet veterinarian volunteer vp wife writer
`)

/** What a third person does as their part, said in the present. */
export const partVerbs = list(`
  approves answers arranges audits books bundles buys calls chairs checks collects comes controls coordinates covers decides delivers designs does drives edits expects fixes funds gets grades
  guards handles hates heads holds hosts insists invoices keeps leads likes lives loves maintains manages minds moderates needs only never always operates orders organises organizes
  oversees owns pays plans plays prefers prepares protects provides publishes reads refuses replies reports represents reviews runs schedules sells sets shares signs sits speaks
  studies supervises supplies supports takes teaches tests trains translates uses wants watches works writes
`)

export const channels = list(`
  mail email e-mail mails emails phone telephone call calls text texts sms slack teams signal whatsapp telegram discord matrix irc zoom chat letter post fax voicemail messenger
  mattermost jira ticket tickets github gitlab linear notion trello forum pager skype meet facetime imessage in-person person
`)

/** After "is" they describe a moment, not a lasting fact. */
export const momentary = set(`
  broken failing down slow red late tired ready done back stuck weird awful ugly great nice lovely perfect funny sad happy angry cold hot hungry knackered exhausted sick
  busy fine ok okay good bad wrong right pretty cute brilliant amazing annoying painful boring scary crazy mad insane wild cool beautiful gorgeous silly odd strange loud
  mess disaster booked packed sick
  running loading building compiling hanging crashing waiting working raining snowing freezing sunny cloudy
  excited nervous worried curious tempted lost confused sorry glad proud jealous bored sleepy dizzy drunk hungover starving dusty soaked home asleep awake alive
`)

export const stopWords = set(`
  a about above after again against all also am an and any anyway are aren't as at be because been before being below between both but by can cannot could did do does doing
  don't down during each either else ever every few for from further get gets go goes going gone got had has have having he her here hers him his how i i'd i'll i'm i've if in into is isn't
  it it's its itself just let lets like me more most much must my no nor not now of off on once one only onto or other our ours out over own please put rather really same
  she should since so some such than that that's the their theirs them then there these they they're this those through to too under until up upon us use used uses using very was way we we're we've were what
  when where which while who whom why will with within without won't would yet you you're your yours anymore longer ok okay yes instead stuff thing things back new old
`)
