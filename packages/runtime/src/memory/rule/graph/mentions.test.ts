import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aliasesIn } from './aliases.ts'
import { type Mention, mentionsIn } from './entities.ts'
import { channelWords, resourceHeads, vagueResourceHeads, workflowWords } from './mention-words.ts'
import { sentencesOf } from './sentences.ts'

const found = (text: string) => mentionsIn(text).map(({ entity_kind, name }: Mention) => `${entity_kind}: ${name}`)
const of = (kind: string, text: string) =>
  found(text)
    .filter((one) => one.startsWith(`${kind}: `))
    .map((one) => one.slice(kind.length + 2))

describe('channels', () => {
  const examples: Readonly<Record<(typeof channelWords)[number]['name'], readonly string[]>> = {
    'video call': ['He prefers a video call.', 'We talk on Zoom.'],
    'text message': ['Send her a text message.', 'By SMS only.'],
    email: ['She wants an email.', 'Mails are fine.', 'E-mail him.'],
    phone: ['Get him by phone.', 'Just call her.', 'I want a call.', 'Ring them.'],
    Slack: ['She is on Slack.'],
    Teams: ['He only reads Teams.'],
    Signal: ['Write to her on Signal.'],
    WhatsApp: ['They use WhatsApp.'],
    Telegram: ['Post it in Telegram.'],
    Discord: ['Ask on Discord.'],
    Mattermost: ['It goes to Mattermost.'],
    Messenger: ['Find her on Messenger.'],
    iMessage: ['He likes iMessage.'],
    chat: ['Not in the team chat.'],
    letter: ['The office wants it by post.'],
    'in person': ['She tells him in person.'],
    meeting: ['It is reported in the stand-up.'],
    'calendar invite': ['Send a calendar invite.'],
    'pull request comment': ['As a comment on the pull request.'],
  }
  test.each(Object.entries(examples).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))('%s: %s', (name, text) => {
    expect(of('channel', text)).toEqual([name])
  })
  test('every row has an example', () => expect(Object.keys(examples).sort()).toEqual(channelWords.map(({ name }) => name).sort()))

  test.each([
    ['Reach her on Zulip.', ['Zulip']],
    ['He lives in Zulip.', ['Zulip']],
    ['Put it as a comment in Miro.', ['comment in Miro']],
    ['The mail server is slow.', []],
    ['Our teams signal slack.', []],
    ['Call me Ishmael.', []],
    ['Call me after lunch.', ['phone']],
  ])('%s', (text, names) => expect(of('channel', text)).toEqual(names))
})

describe('resources', () => {
  test.each([...resourceHeads, ...vagueResourceHeads])('the harbour %s', (head) => {
    expect(of('resource', `She keeps the harbour ${head} tidy.`)).toEqual([`harbour ${head}`])
  })
  test.each(vagueResourceHeads)('a vague word alone names nothing: the %s', (head) =>
    expect(of('resource', `She keeps the ${head} tidy.`)).toEqual([]),
  )
  test.each([
    ['Edit src/main.ts and README.md.', ['src/main.ts', 'README.md']],
    ['See https://wiki.example/page, please.', ['https://wiki.example/page']],
    ['It runs at api.example.org.', ['api.example.org']],
    ['She guards the east gate like a hawk.', ['east gate']],
    ['Nothing that touches the old wall happens today.', ['old wall']],
    ["Ana Reis's spreadsheet is right.", ['spreadsheet']],
    ['He and/or she came on 2026/04.', []],
    ['I have my own bike.', []],
  ])('%s', (text, names) => expect(of('resource', text)).toEqual(names))
})

describe('workflows', () => {
  const examples: Readonly<Record<(typeof workflowWords)[number]['name'], string>> = {
    'release notes': 'The release notes are short.',
    release: 'Releasing takes an hour.',
    deployment: 'Nothing is deployed today.',
    rollout: 'The roll-out is on Monday.',
    invoice: 'The invoices go out.',
    report: 'Every report has a chart.',
    review: 'The reviews take a day.',
    migration: 'Migrations run at night.',
    onboarding: 'Onboarding takes a week.',
    payroll: 'She does payroll.',
    newsletter: 'The newsletter has a picture.',
    retrospective: 'The retro is short.',
    grading: 'He does the grading.',
    'hand-in': 'The hand-in is closed.',
    'post-mortem': 'A post-mortem follows.',
    incident: 'Incidents go to him.',
    drill: 'The drill is at noon.',
    summary: 'The summary has ten lines.',
    digest: 'A digest is enough.',
    audit: 'The audit is in May.',
    bookkeeping: 'Bookkeeping is boring.',
    'tax return': 'The tax return is done.',
    'on-call': 'She leads on-call.',
    announcement: 'Then post the announcement.',
    import: 'Imports are slow.',
    interview: 'The interviews start.',
    minutes: 'The meeting minutes are hers.',
  }
  test.each(Object.entries(examples))('%s: %s', (name, text) =>
    expect(of('workflow', text)).toEqual([name === 'minutes' ? 'minutes' : name]),
  )
  test('every row has an example', () => expect(Object.keys(examples)).toEqual(workflowWords.map(({ name }) => name)))

  test.each([
    ['The weekly report is due.', ['weekly report']],
    ['She does the code review.', ['code review']],
    ['Ana Reis reviews it.', []],
    ['He reports to her.', []],
  ])('%s', (text, names) => expect(of('workflow', text)).toEqual(names))
})

describe('constraints', () => {
  test.each([
    ['Send it before the 5th.', ['before the 5th']],
    ['Nothing leaves on Fridays after noon.', ['fridays after noon']],
    ['Not before 9:30 am.', ['not before 9:30 am']],
    ['It is due by 3 June.', ['by 3 june']],
    ['Closed from Monday to Friday.', ['from monday to friday']],
    ['The kitchen budget of 4000 euros is fixed.', ['kitchen budget of 4000 euros']],
    ['The deadline moved.', ['deadline']],
    ['At most ten lines.', ['at most ten lines']],
    ['Five bullets at most.', ['five bullets at most']],
    ['GDPR applies.', ['gdpr']],
    ['The links must never break.', ['must never break']],
    ['No change without her approval.', ['without her approval']],
    ['It is from 1911.', []],
    ['He stood by her.', []],
  ])('%s', (text, names) => expect(of('constraint', text)).toEqual(names))
})

describe('preferences', () => {
  test.each([
    ['She wants short answers.', ['short answers']],
    ['He prefers paper forms, because he likes ink.', ['paper forms', 'ink']],
    ['I hate nested ifs.', ['no nested ifs']],
    ["I don't want pop-ups.", ['no pop-ups']],
    ['Write to him in plain German.', ['in plain German']],
    ['Send it as a PDF.', ['as a PDF']],
    ["We'd like a window seat.", ['a window seat']],
    ['It looks like rain.', []],
    ['They want it.', []],
    ['Anything you want goes there.', []],
  ])('%s', (text, names) => expect(of('preference', text)).toEqual(names))
})

describe('people', () => {
  test.each([
    ['Ana Reis is my accountant.', ['Ana Reis', 'user']],
    ['The contact there is Zoë Škvor, the archivist.', ['Zoë Škvor']],
    ['Tell Bob and Mia de Wit about it.', ['Bob', 'Mia de Wit']],
    ["Nothing without Ana's ok.", ['Ana']],
    ['When Ana wants it, write to Ana K. first.', ['Ana', 'Ana K.']],
    ['He works at Northwind.', ['Northwind']],
    ['The Harbour Foundation wants it.', ['Harbour Foundation']],
    ['We use React Native with Postgres on Fridays.', []],
    ['Zed is my editor now.', ['user']],
    ['The Big Table is broken.', []],
    ['Half the world writes it wrong.', []],
    ['Mail Ana Reis I think.', ['Ana Reis', 'user']],
  ])('%s', (text, names) => expect(of('stakeholder', text)).toEqual(names))

  test('organisations and people have different domains', () => {
    const domains = mentionsIn('Ana Reis runs the shop at Northwind.').map(({ name, ontology_domain }) => [name, ontology_domain])
    expect(domains).toEqual([
      ['Ana Reis', 'person'],
      ['Northwind', 'organization'],
    ])
  })
})

describe('second names', () => {
  test.each([
    ['The site is for the Harbour Trust, HT for short.', 'Harbour Trust', 'HT'],
    ['Robert Lind, everyone calls him Bob, is the builder.', 'Robert Lind', 'Bob'],
    ['Robert Lind, called Bob, is the builder.', 'Robert Lind', 'Bob'],
    ['Robert Lind, also known as "Bob".', 'Robert Lind', 'Bob'],
    ['Robert Lind a.k.a. Bob came.', 'Robert Lind', 'Bob'],
    ['Robert Lind goes by Bob.', 'Robert Lind', 'Bob'],
    ['Robert Lind is also called Bob.', 'Robert Lind', 'Bob'],
    ['The Harbour Trust (HT) pays.', 'Harbour Trust', 'HT'],
    ['HT is short for Harbour Trust.', 'Harbour Trust', 'HT'],
    ['HT stands for Harbour Trust.', 'Harbour Trust', 'HT'],
  ])('%s', (text, name, alias) => expect(aliasesIn(text)).toEqual([{ name, alias }]))

  test.each(['Robert Lind (Oslo) came.', 'Robert Lind and Bob came.', 'She has a cat called Bob.', 'Robert Lind is here. Bob is there.'])(
    'none in: %s',
    (text) => {
      expect(aliasesIn(text)).toEqual([])
    },
  )
})

test('a dot inside a name or a number ends no sentence', () => {
  const text = 'Ana K. pays 2.300 euros. See a.ts; ask Dr. Wu! Done'
  expect(sentencesOf(text).map((one) => one.text)).toEqual(['Ana K. pays 2.300 euros.', ' See a.ts;', ' ask Dr. Wu!', ' Done'])
})

test('every mention is where it says, in order, and mentions of one kind do not overlap, in any text', () => {
  const piece = fc.constantFrom(
    'Ana Reis',
    'wants',
    'email',
    'the billing server',
    'before the 5th',
    'I',
    'release',
    ',',
    '.',
    'in French',
    'Slack',
    'guards',
    'src/a.ts',
    'é',
    '\n',
    '(',
    'X.',
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((words) => words.join(' ')),
    fc.string({ maxLength: 80, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(text, (content) => {
      const mentions = mentionsIn(content)
      for (const [index, { name, start, end, entity_kind }] of mentions.entries()) {
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(500)
        expect(0 <= start && start < end && end <= content.length).toBe(true)
        expect(start).toBeGreaterThanOrEqual(mentions[index - 1]?.start ?? 0)
        expect(mentions.filter((other) => other.entity_kind === entity_kind && other.start < end && start < other.end)).toHaveLength(1)
      }
      expect(sentencesOf(content).every((one) => content.slice(one.start, one.end) === one.text)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('long text without structure takes no long time', () => {
  const before = process.cpuUsage()
  for (const text of [
    'A'.repeat(60_000),
    'Ab '.repeat(20_000),
    'a, '.repeat(20_000),
    'before '.repeat(8_000),
    'x.'.repeat(30_000),
    '/a'.repeat(30_000),
  ])
    mentionsIn(text)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
})
