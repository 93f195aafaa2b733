import { planting, type Remediation } from '../plan.ts'
import { call, edit, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const subjects = ['spring courses', 'open day', 'laser training', 'choir weekend', 'photo walk', 'gauge network', 'night shift']
/** The same in the request and in the calls of a run. */
const subject = (scene: Scene) => subjects[Math.floor(scene.at / 1000) % subjects.length] ?? ''
const slug = (scene: Scene) => subject(scene).replaceAll(' ', '-')

export const remediations: Remediation[] = [
  {
    key: 'board_not_everyone',
    hosts: ['onboarding', 'invoice'],
    kind: 'edited_arguments',
    about: 'The person changes the recipient of a mail from the list of all members to the board',
    gap: 'knowledge_gap',
    also: 'policy_gap',
    why: 'the call is wanted, with another recipient; a tool policy cannot change arguments',
    skill: null,
    runs: 7,
    requests: {
      en: [
        (s) => `Ask for opinions on the ${subject(s)}.`,
        (s) => `Announce the ${subject(s)} by mail.`,
        () => 'Write around that the meeting is moved.',
      ],
      de: [
        (s) => `Frag per Mail, was man von „${subject(s)}“ hält.`,
        () => 'Schreib eine Rundmail wegen der Sitzung.',
        (s) => `Kündige „${subject(s)}“ per Mail an.`,
      ],
    },
    plant: (s) => {
      const text = {
        subject: subject(s),
        body: s.random.pick(['Dates follow.', 'Bitte um Rückmeldung.', 'See the attached plan.', 'Näheres im Anhang.']),
      }
      const sent = call('mcp.mail.create_draft', { to: 'vorstand@werk.example', ...text }, 'draft saved', 'edited')
      sent.proposed = { to: 'alle@werk.example', ...text }
      return planting({ calls: [sent], claim: say(s, 'The draft is saved.', 'Der Entwurf ist gespeichert.') })
    },
  },
  {
    key: 'volumes_kept',
    hosts: ['incident', 'migration'],
    kind: 'denied_call',
    about: 'The person denies every removal of a container volume',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a command that should be blocked, or always asked about (approval_mode)',
    skill: null,
    runs: 6,
    requests: {
      en: [
        () => 'The test database is in a strange state.',
        () => 'Start the containers from scratch.',
        (s) => `The container for the ${subject(s)} page does not come up.`,
      ],
      de: [
        () => 'Die Testdatenbank spinnt.',
        () => 'Setz die Container neu auf.',
        () => 'Der Suchdienst kommt nicht hoch, bitte neu starten.',
      ],
    },
    plant: (s) => {
      const refused = shell(
        s.random.pick([
          'docker compose down -v',
          `docker volume rm ${s.project}_data`,
          'docker compose down --volumes',
          'docker volume prune -f',
        ]),
        'denied',
        'denied',
      )
      refused.reason = s.random.pick(
        s.language === 'de'
          ? ['Die Volumes bleiben.', 'Da sind echte Daten drin.', 'Nur neu starten, nichts löschen.']
          : ['Keep the volumes.', 'There is real data in there.', 'Restart only, remove nothing.'],
      )
      return planting({
        calls: [refused],
        afterwards: [shell('docker compose restart', 'Restarted')],
        claim: say(s, 'Restarted without removing anything.', 'Neu gestartet, ohne etwas zu entfernen.'),
      })
    },
  },
  {
    key: 'branch_off_develop',
    hosts: ['migration', 'incident'],
    kind: 'corrected_agent',
    about: 'The agent starts branches from main; they start from develop here',
    gap: 'knowledge_gap',
    also: null,
    why: 'a fact about the repositories that the agent does not know',
    skill: null,
    runs: 6,
    requests: {
      en: [
        (s) => `Open a branch for the ${subject(s)} page.`,
        () => 'Begin with the new waiting list on a branch of its own.',
        () => 'I want to try another font; make a branch for it.',
      ],
      de: [
        (s) => `Leg einen Branch für die Seite „${subject(s)}“ an.`,
        () => 'Fang die neue Warteliste auf einem eigenen Branch an.',
        () => 'Ich möchte eine andere Schrift testen, mach dafür einen Branch.',
      ],
    },
    plant: (s) => {
      const name = `${s.random.pick(['topic', 'try', 'ruth'])}/${slug(s)}`
      return planting({
        calls: [shell(`git switch -c ${name} main`, `Switched to a new branch '${name}'`)],
        claim: say(s, `${name} starts from main.`, `${name} geht von main aus.`),
        correction: s.random.pick(
          s.language === 'de'
            ? ['Bei uns zweigt man von develop ab.', 'Nicht von main, von develop!', 'main ist nur für Auslieferungen, nimm develop.']
            : ['We branch off develop here.', 'Wrong base: it has to be develop.', 'main is only for deliveries, take develop.'],
        ),
        afterwards: [shell(`git switch -C ${name} develop`, `Switched to and reset branch '${name}'`)],
      })
    },
  },
  {
    key: 'translations_overwritten',
    hosts: ['episode', 'onboarding'],
    kind: 'restored_checkpoint',
    about: 'The person restores files below locales/ that the agent rewrote although translators maintain them elsewhere',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a limit on where the agent may write (fs_scope)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        (s) => `Add the texts for the ${subject(s)} to the site.`,
        () => 'The button says “Absenden” on the English page.',
        () => 'Make the labels of the form friendlier.',
      ],
      de: [
        (s) => `Die Texte zu „${subject(s)}“ fehlen auf der Seite.`,
        () => 'Auf der englischen Seite steht „Absenden“.',
        () => 'Die Beschriftungen im Formular klingen zu streng.',
      ],
    },
    plant: (s) => {
      const path = `locales/${s.random.pick(['en', 'de', 'fr', 'nl'])}.json`
      const changed = call('fs.write', { path, content: `{ "${slug(s)}": "…" }\n` }, 'written')
      return planting({
        calls: [changed],
        claim: say(s, `The texts are in ${path}.`, `Die Texte stehen in ${path}.`),
        restoreTo: changed,
        correction: s.random.pick(
          s.language === 'de'
            ? [
                'locales/ kommt aus Weblate, das überschreibst du mir.',
                'Diese Dateien pflegen die Übersetzer.',
                'Dort nichts von Hand ändern.',
              ]
            : ['locales/ comes from Weblate, you overwrite it.', 'The translators own those files.', 'Nothing by hand in there, please.'],
        ),
        afterwards: [edit('src/messages.ts', 'default: ""', 'default: "…"')],
      })
    },
  },
  {
    key: 'alt_text_added',
    hosts: ['episode'],
    kind: 'edited_file',
    about: 'The person adds the missing alternative text to each picture of a new page',
    gap: 'skill_gap',
    also: 'knowledge_gap',
    why: 'a skill for it exists and is bound to no agent; a remembered sentence would do as well',
    skill: 'alt-texts',
    runs: 7,
    requests: {
      en: [
        (s) => `A page about the ${subject(s)}, with the picture.`,
        () => 'Put the photos of Saturday on the site.',
        (s) => `News item: ${subject(s)}.`,
      ],
      de: [
        (s) => `Mach eine Seite zu „${subject(s)}“, mit Bild.`,
        () => 'Stell die Fotos vom Samstag auf die Seite.',
        (s) => `Kurze Meldung zu „${subject(s)}“ mit Foto.`,
      ],
    },
    plant: (s) => {
      const path = `content/${s.date}-${slug(s)}.md`
      const image = `img/${slug(s)}-${s.random.int(1, 40)}.jpg`
      const alt = s.random.pick(
        s.language === 'de'
          ? ['Menschen am Laserschneider', 'Chor vor der Kirche', 'Pegel im Nebel', 'Kamera auf Stativ']
          : ['People at the laser cutter', 'Choir in front of the church', 'Gauge in the fog', 'Camera on a tripod'],
      )
      return planting({
        calls: [call('fs.write', { path, content: `# ${subject(s)}\n\n![](${image})\n` }, 'written')],
        claim: say(s, `The page is ${path}.`, `Die Seite ist ${path}.`),
        editedFiles: [{ path, before: `![](${image})`, after: `![${alt}](${image})` }],
      })
    },
  },
  {
    key: 'full_training_stopped',
    hosts: ['literature', 'incident'],
    kind: 'canceled_run',
    about: 'The person cancels the run when the agent starts the training on all data',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a command that takes far too long should have a limit or be asked about (time_limit, approval_mode)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        () => 'Does the new feature improve the rain forecast?',
        () => 'The no-show model is off since Monday.',
        (s) => `Try the ${subject(s)} data in the model.`,
      ],
      de: [
        () => 'Verbessert das neue Merkmal die Regenvorhersage?',
        () => 'Das Modell für Ausfälle liegt seit Montag daneben.',
        () => 'Probier einen anderen Zeitraum im Modell.',
      ],
    },
    plant: (s) => {
      const training = shell(
        s.random.pick([
          'python train.py --full --epochs 50',
          'python train.py --data all --epochs 80',
          'python train.py --full --epochs 100',
        ]),
        'canceled',
        'failed',
      )
      training.duration_ms = s.random.int(400_000, 1_500_000)
      return planting({ calls: [training], canceled: true })
    },
  },
]
