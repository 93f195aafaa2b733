import type { Memory } from '@tandem/contract/memory'
import { describe, expect, test } from 'vitest'
import { compiled } from './phrase.ts'
import { slotNamed, slotOf, slots } from './slots.ts'

interface Examples {
  /** One sentence per alias, in their order. */
  readonly yes: readonly string[]
  /** Sentences that look similar and do not fill the slot. */
  readonly no: readonly string[]
  /** With the suffix, where the slot exists per thing. */
  readonly key?: string
  readonly kind?: Memory['memory_kind']
  readonly subject?: string
}

const person = { subject: 'entity:ann', kind: 'relationship' } as const
const site = { subject: 'workspace:site', kind: 'decision' } as const

const examples: Readonly<Record<string, Examples>> = {
  name: { yes: ['My name is Ann.', "I'm called Ann."], no: ['The name is too long.', 'Send nothing in my name.', 'Ann called at noon.'] },
  'address-as': { yes: ['Call me Annie.', 'My nickname is Annie.', 'I go by Annie.'], no: ['Call my mother on Sundays.'] },
  pronouns: { yes: ['My pronouns are she/her.', 'Use they/them pronouns.'], no: ['Pronouns in the text are wrong.'] },
  birthday: { yes: ['My birthday is on 3 June.', 'I was born on 3 June.'], no: ['The birthday party went well.'] },
  city: { yes: ['I live in Oslo.', 'We moved to Oslo.'], no: ['I live in fear of deadlines.', 'I used to live in Oslo.'] },
  'postal-address': {
    yes: [
      'My address is High Street 3.',
      'Parcels go to High Street 3.',
      'I rent a flat at High Street 3.',
      "We're staying at High Street 3.",
    ],
    no: ['The IP address is wrong.'],
  },
  'phone-number': { yes: ['My phone number is 555 0100.', 'Call me on 555 0100.'], no: ['The phone rings all day.'] },
  'mail-address': { yes: ['My email address is ann@mail.example.', 'Write to me at ann@mail.example.'], no: ['The mail is late.'] },
  'time-zone': {
    yes: ['My time zone is UTC+2.', "I'm in the Pacific time zone.", 'Use UTC as the time zone.', 'time zone: UTC'],
    no: ['Time zones are hard.'],
  },
  employer: { yes: ['My employer is Acme.', 'I work for Acme.', 'I joined Acme.'], no: ['I work at night.', 'I work for fun.'] },
  role: {
    ...person,
    yes: [
      'Her role is head of sales.',
      'Ann works as a designer.',
      'Ann was promoted to director.',
      'Ann is the lead designer at Acme.',
      'Ann leads the support team.',
    ],
    no: ['Ann is a member of the club.', 'Ann is an early riser.', 'Ann is my sister in law.'],
  },
  occupation: {
    yes: ['My job is teaching.', 'I work as a nurse.', 'I got promoted to director.'],
    no: ['The job failed.', 'That works as a workaround.'],
  },
  channel: {
    ...person,
    yes: ['Ann is best reached by phone.', 'Message her on Matrix.', 'Ann wants weekly updates by mail.'],
    no: ['Ann reached the summit.', 'Ann wants more space.'],
  },
  'working-hours': {
    yes: ['My working hours are 8 to 4.', 'I work from 8:00 to 16:00.', 'I start work at 8.'],
    no: ['I work from home.', 'We start work on the cellar.'],
  },
  'working-days': {
    yes: ['My working days are Monday to Thursday.', 'I work Monday to Thursday.', 'My day off is Friday.'],
    no: ['The shop works on Fridays.', 'Working days are short in winter.'],
  },
  'meeting-hours': {
    yes: ['No meetings before 10.', 'Meetings are fine from 9:30.', 'Nothing before 10, please.', 'meetings: 9:30 is ok'],
    no: ['The meeting was moved.'],
  },
  'teaching-days': { yes: ['I teach on Mondays.', 'My lectures are on Mondays.'], no: ['I teach two groups.'] },
  'answer-language': {
    yes: ['Answer in Norwegian.', 'My replies should be in Norwegian.', 'Please speak Norwegian with me.', 'language: Norwegian'],
    no: ['Answer in a table.', 'Write in ISO format.'],
  },
  'answer-tone': {
    yes: ['The tone should be dry.', 'Keep your tone dry.', 'Be more direct.', 'I like a casual tone.', 'tone: dry'],
    no: ['The ring tone is annoying.', 'There is a direct train.'],
  },
  'answer-length': {
    yes: ['I want short answers.', 'Keep answers brief.', 'Answers of at most three sentences.'],
    no: ['Answers to the survey are in.'],
  },
  'sign-off': {
    yes: ['Mails are signed with my initials.', 'Sign mails as A. B.', 'My signature is A. B.', 'signature: A. B.'],
    no: ['Sign the contract.', 'Mails are sent at night.'],
  },
  spelling: {
    yes: ['Use Canadian spelling.', 'Spelling is Canadian.', 'My English uses Canadian spelling.'],
    no: ['Check the spelling of names.'],
  },
  'date-format': {
    yes: ['The date format is ISO.', 'Dates are written in ISO form.', 'Write dates as 2026-04-01.', 'dates: ISO'],
    no: ['The date of the party is open.', 'We date our drafts.', "Put dates in, I'm free on Friday."],
  },
  'time-format': { yes: ['I want 24-hour times.', 'The time format is 24 h.'], no: ['The trip takes 24 hours.'] },
  units: { yes: ['Use metric units.', 'I prefer kilometres.'], no: ['The route is five kilometres.'] },
  currency: { yes: ['The currency is the krone.', 'Prices are in euros.'], no: ['Prices are rising.'] },
  diet: { yes: ["I don't eat pork.", "I'm vegetarian.", 'I eat only fish.'], no: ['The cat ate my lunch.'] },
  allergy: { yes: ["I'm allergic to pollen.", 'My allergies are bad in May.'], no: ['Ann eats pollen.'] },
  goal: { yes: ['My goal is a marathon.', 'I want to learn Finnish.'], no: ['I want a coffee.'] },
  hobby: { yes: ['My hobby is chess.', 'I collect stamps.'], no: ['The band is loud.'] },
  family: { yes: ['My sister is a vet.', 'Bea is my sister.'], no: ['The sister company is in Oslo.'] },
  pet: { yes: ['I have a dog.', 'My cat is old.'], no: ['The cat command prints files.'] },
  dislike: { yes: ['I hate pop-ups.', "I can't stand pop-ups."], no: ['Hate mail is deleted.'] },
  'travel-mode': {
    yes: ['I travel by train.', 'I use the bus to commute.'],
    no: ['I never travel by plane.'],
  },
  seat: { yes: ['I prefer an aisle seat.', 'My seat is 12A.'], no: ['The seat is broken.'] },
  'hourly-rate': {
    yes: ['My hourly rate is 50.', 'I charge 50 an hour.', 'I am raising my rate, 60 an hour.', 'rate: 50'],
    no: ['The failure rate is 2 percent.'],
  },
  'payment-terms': { yes: ['The payment terms are 30 days.', 'Invoices are payable within 30 days.'], no: ['The payment is late.'] },
  'payment-method': { yes: ['I pay by card.', 'The payment method is card.'], no: ['I never pay in cash.', 'It pays to wait.'] },
  editor: {
    yes: ['My editor is Kakoune.', 'I use Kakoune as my editor.', 'Kakoune is my editor now.', 'editor: Kakoune'],
    no: [
      'The editor of the magazine is Bea.',
      'My editor is not Kakoune.',
      'My editor used to be Kakoune.',
      'My editor is Kakoune in Go projects.',
    ],
  },
  shell: {
    yes: ['My shell is ksh.', 'Commands should be in ksh.', 'I use ksh as my shell.', 'Give me commands in ksh syntax.', 'shell: ksh'],
    no: ['The shell of the nut is hard.'],
  },
  terminal: { yes: ['My terminal is Foot.', 'I use Foot as my terminal.', 'terminal: Foot'], no: ['The bus terminal is closed.'] },
  'operating-system': {
    yes: ['My operating system is Haiku.', 'I use Haiku as my OS.', 'My laptop runs Haiku.'],
    no: ['The operating room is clean.'],
  },
  computer: {
    yes: ['My laptop is a Framework.', 'I work on a Framework laptop.', 'I bought a new laptop.'],
    no: ['I work on a report.', 'The laptop is loud.'],
  },
  browser: { yes: ['My browser is Falkon.', 'I use Falkon as my browser.'], no: ['The browser tests fail.'] },
  'package-manager': {
    yes: [
      'Our package manager is Bun.',
      'Use Bun as the package manager.',
      'Install packages with Bun.',
      'For packages we use Bun.',
      'package manager: Bun',
    ],
    no: ['The package arrives at noon.'],
  },
  'test-runner': {
    ...site,
    yes: [
      'The test runner is Ava.',
      'New tests are written with Ava.',
      'Tests here run on Ava.',
      'Run the tests with Ava.',
      'New tests in Ava.',
      'tests: Ava',
    ],
    no: ['Tests use fixtures.', 'The test was hard.'],
  },
  linter: {
    ...site,
    yes: ['The linter is Oxlint.', 'Lint with Oxlint.', 'Use Oxlint as the linter.', 'linter: Oxlint'],
    no: ['The linter fails.'],
  },
  formatter: {
    ...site,
    yes: ['The formatter is Dprint.', 'Format code with Dprint.', 'Use Dprint as the formatter.', 'formatter: Dprint'],
    no: ['The format is fixed.'],
  },
  indentation: {
    yes: ['The indentation is two spaces.', 'I indent with tabs.', 'Four spaces per level.', 'indentation: tabs'],
    no: ['The garage has two spaces.', 'In Python, I indent with tabs.', "Don't indent with tabs."],
  },
  'quote-style': {
    yes: ['Use single quotes.', 'Double quotes everywhere.', 'Strings are in single quotes.'],
    no: ['Three quotes for the roof.'],
  },
  semicolons: {
    yes: ['I leave out semicolons.', 'No semicolons.', 'Semicolons everywhere.', 'semicolons: yes'],
    no: ['The parser fails on semicolons.'],
  },
  'trailing-commas': { yes: ['Use trailing commas.', 'Trailing commas everywhere.'], no: ['The trailing slash is wrong.'] },
  'line-length': {
    yes: ['The line length is 100.', 'Wrap lines at 100.', 'Lines are at most 100 characters.'],
    no: ['The line is busy.'],
  },
  'naming-style': { ...site, yes: ['Columns are snake_case.', 'The naming convention is strict.'], no: ['In that case, stop.'] },
  'comment-language': { yes: ['Comments are in Norwegian.', 'Write comments in Norwegian.'], no: ['Comments are welcome.'] },
  'commit-style': {
    ...site,
    yes: [
      'Commits follow the Angular style.',
      'Commit messages are one sentence.',
      'Start commit messages with a verb.',
      'commits: one sentence',
    ],
    no: ['The last commit broke it.'],
  },
  'branch-naming': {
    ...site,
    yes: [
      'Branches are named after tickets.',
      'Name branches after tickets.',
      'Branch names are tickets.',
      'Branch names start with the ticket.',
    ],
    no: ['The branch is stale.'],
  },
  'default-branch': {
    ...site,
    yes: ['The default branch is trunk.', 'Branch off trunk by default.'],
    no: ['The branch office is closed.'],
  },
  'merge-method': {
    ...site,
    yes: ['We squash and merge.', 'Merge pull requests by rebasing.', 'The merge strategy is rebase.'],
    no: ['The merge failed.'],
  },
  'review-rule': {
    ...site,
    yes: ['Pull requests need two approvals.', 'Pull requests are reviewed by Bea.', 'Two approvals per pull request.'],
    no: ['The review was kind.'],
  },
  'deployment-day': {
    ...site,
    yes: ['We deploy on Tuesdays.', 'The release day is Tuesday.', 'Deployments happen on Tuesdays.'],
    no: ['We never deploy on Fridays.', 'We deployed yesterday.'],
  },
  database: {
    ...site,
    yes: ['The database is DuckDB.', 'We use DuckDB as our database.', 'Data is stored in DuckDB.', 'database: DuckDB'],
    no: ['The data is wrong.', 'The database is down.', 'The database is a mess.'],
  },
  framework: {
    ...site,
    yes: ['The web framework is Remix.', 'We use Remix as the framework.', 'The site is built with Remix.', 'framework: Remix'],
    no: ['The site is built by Ann.'],
  },
  'programming-language': {
    yes: ['My programming language is Gleam.', 'I write small tools in Gleam.', 'Scripts are written in Gleam.'],
    no: ['Scripts are in a folder.'],
  },
  'plotting-library': {
    yes: ['The plotting library is Altair.', 'Charts are made with Altair.', 'Plot everything with Altair.', 'I use Altair for charts.'],
    no: ['The plot of the novel is thin.'],
  },
  hosting: {
    ...site,
    yes: ['The site is hosted on Fly.', 'The hosting provider is Fly.'],
    no: ['The site runs on hope.', 'The host was kind.'],
  },
  'ci-system': {
    ...site,
    yes: ['CI runs on Woodpecker.', 'The build server is Woodpecker.', 'We use Woodpecker for CI.'],
    no: ['CI is slow, we know.', 'The city is slow.'],
  },
  'login-method': {
    ...site,
    yes: ['Users log in with passkeys.', 'The login method is passkeys.', 'Login works with passkeys.'],
    no: ['The log is full.'],
  },
  deadline: {
    ...site,
    key: 'deadline:thesis-submission',
    yes: [
      'The thesis submission deadline is 3 May.',
      'The deadline for the thesis submission is 3 May.',
      'The thesis submission is due on 3 May.',
      'The thesis submission is on 3 May.',
      'The thesis submission moves to 3 May.',
    ],
    no: ['The deadline passed.', 'They are due on 3 May.'],
  },
  opening: {
    ...site,
    key: 'opening:shop',
    yes: ['The shop opens on 3 May.', 'The opening of the shop is on 3 May.', 'The shop opening is on 3 May.'],
    no: ['The shop opens at nine.'],
  },
  meeting: {
    ...site,
    key: 'meeting:team-sync',
    yes: ['The team sync is on Mondays.', 'We have the team sync every Monday.'],
    no: ['The meeting was long.'],
  },
  budget: {
    ...site,
    key: 'budget:garden',
    yes: ['The garden budget is 500 euros.', 'The budget for the garden is 500 euros.', 'Garden money drops to 400.'],
    no: ['The budget talk is on Monday.'],
  },
  price: {
    ...site,
    key: 'price:ticket',
    yes: ['The price of a ticket is 5 euros.', 'The ticket price is 5 euros.'],
    no: ['The price went up.'],
  },
  version: {
    ...site,
    key: 'version:ruby',
    yes: ['The Ruby version is 3.4.', 'Production runs Ruby 3.4.'],
    no: ['This version is broken.'],
  },
  storage: {
    key: 'storage:receipt',
    yes: ['Receipts go into the blue folder.', 'Keep receipts in the blue folder.'],
    no: ['Receipts are a mess.'],
  },
  'file-naming': { key: 'file-naming:scan', yes: ['Scans are named by date.', 'Name scans by date.'], no: ['The scanner is called Bob.'] },
  format: { key: 'format:report', yes: ['Send me reports as PDF.', 'Reports should be in markdown.'], no: ['Reports are late.'] },
  'report-time': {
    key: 'report-time:digest',
    yes: ['I want a digest every weekday at 8:30.', 'Move the digest to 7:45.'],
    no: ['The digest was good.'],
  },
  tool: {
    ...site,
    key: 'tool:logging',
    yes: ['Logging uses Pino.', 'For logging, we use Pino.', 'We use Pino for logging.', 'Logging is done with Pino.'],
    no: ['Logging is a pain in production.', 'Logging in is slow.'],
  },
  responsible: {
    ...site,
    key: 'responsible:billing',
    yes: ['In charge of billing is Bea.', 'Bea takes care of billing.'],
    no: ['Bea is a responsible person.'],
  },
  'team-size': {
    ...site,
    key: 'team-size:intern',
    yes: ['Interns work in pairs.'],
    no: ['They work in pairs.', 'Interns work in silence.'],
  },
  color: { ...site, key: 'color:fence', yes: ['The fence will be painted green.', 'Paint the fence green.'], no: ['The paint is dry.'] },
  material: {
    ...site,
    key: 'material:floor',
    yes: ['The floor will be oak.'],
    no: ['The floor will be delivered on Monday.', 'The floor is wet.'],
  },
  procedure: {
    kind: 'procedural',
    subject: 'workspace:site',
    key: 'procedure:publish-post',
    yes: [
      'Publish posts: proofread, then upload.',
      'To publish posts, proofread, then upload.',
      'Publish post routine: proofread, then upload.',
    ],
    no: ['Before publishing: proofread.', 'Proofread twice.'],
  },
}

test('every slot has examples, and every key is unique', () => {
  expect(Object.keys(examples).sort()).toEqual(slots.map(({ key }) => key).sort())
  expect(new Set(slots.map(({ key }) => key)).size).toBe(slots.length)
})

describe.each(slots)('$key', (slot) => {
  const { yes = [], no = [], key = slot.key, kind = 'preference', subject = 'user' } = examples[slot.key] ?? {}
  const of = (content: string) => slotOf({ memory_kind: kind, subject, content })

  test('each alias has a sentence that fills the slot', () => {
    expect(yes.map((content) => [content, of(content)])).toEqual(yes.map((content) => [content, key]))
    expect(slot.aliases.map((alias, index) => [alias, compiled(alias).test(yes[index] ?? '')])).toEqual(
      slot.aliases.map((alias) => [alias, true]),
    )
  })

  test('near misses do not', () => {
    expect(no.length).toBeGreaterThan(0)
    expect(no.filter((content) => of(content)?.split(':')[0] === slot.key)).toEqual([])
  })

  test('applies to no other kinds and subjects', () => {
    const [content = ''] = yes
    expect(slotOf({ memory_kind: 'episodic', subject, content })).toBeNull()
    expect(slotNamed(key)).toBe(slot)
  })
})

describe('the slot of a statement', () => {
  const of = (content: string, subject = 'user') => slotOf({ memory_kind: 'preference', subject, content })

  test.each([
    ['a question', 'Is it true that my editor is Kakoune?'],
    ['two slots', 'My editor is Kakoune and my shell is ksh.'],
    ['a possibility', 'Maybe my editor is Kakoune.'],
    ['a condition', 'When I travel, my editor is Kakoune.'],
    ['a time', 'My editor is Kakoune this week.'],
    ['a state', 'My editor is slow.'],
    ['another state', 'My shell is really annoying again.'],
    ['a long text', `My editor is Kakoune. ${'And so on. '.repeat(50)}`],
    ['a reason only', 'I work standing, because my editor is Kakoune.'],
  ])('is null for %s', (_, content) => {
    expect(of(content)).toBeNull()
  })

  test('ignores reasons, contrasts and what follows', () => {
    expect(of('My editor is Kakoune, not Joe.')).toBe('editor')
    expect(of('My editor is Kakoune instead of Joe.')).toBe('editor')
    expect(of('My editor is Kakoune because no other starts so fast.')).toBe('editor')
    expect(of('My editor is Kakoune, give me line numbers when you cite code')).toBe('editor')
  })

  test('keeps people apart, except in a memory about one of them', () => {
    expect(of("Bea's editor is Joe.")).toBe('editor:bea')
    expect(of("The user's editor is Joe.")).toBe('editor')
    expect(of("Åse Øen's birthday is on 3 June.")).toBe('birthday:ase-en')
    expect(of("Bea's birthday is on 3 June.", 'entity:bea')).toBe('birthday')
  })

  test('is always a key of the contract', () => {
    for (const content of [
      'Наш дедлайн deadline is 3 May.',
      "The café's deadline is 3 May.",
      `The ${'very '.repeat(60)}long deadline is 3 May.`,
    ]) {
      expect(of(content) ?? 'none').toMatch(/^[A-Za-z0-9._:@/-]{1,200}$/)
    }
  })
})
