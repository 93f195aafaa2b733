import type { Routine } from '../plan.ts'
import { call, edit, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const devices = ['beet-nord', 'beet-sued', 'zisterne', 'gewaechshaus', 'steg-wind', 'flur-temp']
/** The same in the request and in the calls of a run. */
const device = (scene: Scene) => devices[Math.floor(scene.at / 1000) % devices.length] ?? ''

export const firmware: Routine = {
  key: 'firmware',
  about: 'New firmware on a device: version in its settings, build, flash, serial log, version over the network, inventory',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'everything follows from the device and the version',
  skill: null,
  runs: 11,
  projects: ['beet-sensoren', 'homelab', 'segelschule'],
  variants: ['platformio', 'esphome'],
  requests: {
    en: [
      (s) => `put ${s.version} on ${device(s)}.`,
      (s) => `${device(s)} still runs ${s.previous}, update it please.`,
      (s) => `New firmware for ${device(s)}, it's on the desk next to me.`,
      (s) => `Flash ${device(s)} with ${s.version}.`,
      (s) => `Can you bring ${device(s)} up to date?`,
    ],
    de: [
      (s) => `spiel ${s.version} auf ${device(s)}.`,
      (s) => `${device(s)} hat noch die ${s.previous}, bitte aktualisieren.`,
      (s) => `${device(s)} hängt am USB, kannst flashen.`,
      (s) => `Neue Firmware für ${device(s)} bitte.`,
      (s) => `Bring ${device(s)} mal auf ${s.version}.`,
    ],
  },
  answers: {
    en: [(s) => `${device(s)} reports ${s.version}.`, () => 'Flashed and checked.'],
    de: [(s) => `${device(s)} meldet ${s.version}.`, () => 'Geflasht und geprüft.'],
  },
  steps: [
    {
      key: 'reachable',
      optional: true,
      calls: (s) => [
        call('http.request', { method: 'GET', url: `http://${device(s)}.lan/status` }, `{"uptime":${s.random.int(900, 90_000)}}`),
      ],
    },
    { key: 'version', calls: (s) => [edit(`devices/${device(s)}.yaml`, `version: ${s.previous}`, `version: ${s.version}`)] },
    {
      key: 'flash',
      after: ['version', 'reachable'],
      fails: 'A fatal error occurred: Failed to connect to ESP32: No serial data received.',
      calls: (s, variant) =>
        variant === 'platformio'
          ? [shell(`pio run -e ${device(s)}`, 'SUCCESS'), shell(`pio run -e ${device(s)} -t upload`, 'Hard resetting via RTS pin...')]
          : [shell(`esphome run devices/${device(s)}.yaml --no-logs`, 'INFO Successfully uploaded program.')],
    },
    {
      key: 'serial',
      after: ['flash'],
      optional: true,
      calls: (s) => [
        call(
          'script.run',
          { language: 'python', code: `import serial\nprint(serial.Serial("/dev/ttyUSB0", 115200).read(800))\n` },
          `boot ${s.version}`,
        ),
      ],
    },
    {
      key: 'confirm',
      after: ['flash'],
      calls: (s) => [call('http.request', { method: 'GET', url: `http://${device(s)}.lan/version` }, `{"version":"${s.version}"}`)],
    },
    {
      key: 'inventory',
      after: ['confirm'],
      calls: (s) => [call('mcp.inventory.update_device', { device: device(s), firmware: s.version, updated: s.date }, 'updated')],
    },
  ],
}

const machines = ['web1', 'git1', 'store1', 'mon1', 'mail2']
const machine = (scene: Scene) => machines[Math.floor(scene.at / 1000) % machines.length] ?? ''

export const hosts: Routine = {
  key: 'hosts',
  about: 'Maintenance of a server: snapshot, system updates, restart, failed units, health, entry in the maintenance log',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'the calls are the same each time except for the name of the server; a skill that suggests names does not match',
  skill: null,
  runs: 10,
  projects: ['homelab', 'ticket-desk', 'stadtteilblatt', 'beet-sensoren'],
  variants: null,
  requests: {
    en: [
      (s) => `patch ${machine(s)}.`,
      (s) => `${machine(s)} is due for updates.`,
      (s) => `Do the monthly maintenance on ${machine(s)}.`,
      (s) => `${machine(s)} complains about pending security updates, take care of it.`,
      () => 'Maintenance window tonight, next server please.',
    ],
    de: [
      (s) => `${machine(s)} braucht updates.`,
      (s) => `Mach mal die Wartung auf ${machine(s)}.`,
      (s) => `Bitte ${machine(s)} patchen und neu starten.`,
      (s) => `Auf ${machine(s)} stehen Sicherheitsupdates an.`,
      () => 'Wartungsfenster ist offen, der nächste Server bitte.',
    ],
  },
  answers: {
    en: [(s) => `${machine(s)} is up to date and healthy.`, () => 'Done, no failed units.'],
    de: [(s) => `${machine(s)} ist aktuell und läuft.`, () => 'Fertig, keine Dienste ausgefallen.'],
  },
  steps: [
    {
      key: 'snapshot',
      calls: (s) => [
        call(
          'http.request',
          { method: 'POST', url: `https://pve.tjark.example/api/vms/${machine(s)}/snapshots`, body: { name: `before-${s.date}` } },
          '{"task":"queued"}',
        ),
      ],
    },
    {
      key: 'silence',
      optional: true,
      calls: (s) => [call('mcp.monitor.silence', { host: machine(s), minutes: 45 }, 'silenced')],
    },
    {
      key: 'upgrade',
      after: ['snapshot', 'silence'],
      fails: 'E: Could not get lock /var/lib/dpkg/lock-frontend',
      calls: (s) => [shell(`ssh ops@${machine(s)} sudo apt-get -y full-upgrade`, `${s.random.int(2, 60)} upgraded, 0 newly installed`)],
    },
    { key: 'restart', after: ['upgrade'], optional: true, calls: (s) => [shell(`ssh ops@${machine(s)} sudo systemctl reboot`)] },
    {
      key: 'units',
      after: ['upgrade', 'restart'],
      calls: (s) => [shell(`ssh ops@${machine(s)} systemctl --failed --no-legend`, '')],
    },
    {
      key: 'health',
      after: ['upgrade', 'restart'],
      calls: (s) => [call('mcp.monitor.host_state', { host: machine(s) }, 'ok')],
    },
    {
      key: 'entry',
      after: ['units', 'health'],
      calls: (s) => [edit('wartung.md', '| --- |', `| --- |\n| ${s.date} | ${machine(s)} | ${say(s, 'updated', 'aktualisiert')} |`)],
    },
  ],
}

const occasions = ['regatta', 'stegfest', 'ausstellung', 'gartentag', 'nachtwanderung', 'abschlussfeier']
const occasion = (scene: Scene) => occasions[Math.floor(scene.at / 1000) % occasions.length] ?? ''
const album = (scene: Scene) => `${scene.date.slice(0, 4)}/${scene.date}-${occasion(scene)}`

export const photoImport: Routine = {
  key: 'photo_import',
  about: 'Pictures from a memory card: folder, names by time, duplicates, rotation, thumbnails, captions, gallery',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'a skill for it exists and is bound to no agent; apart from the captions everything is fixed',
  skill: 'photo-intake',
  runs: 11,
  projects: ['bilderkiste', 'segelschule', 'stadtteilblatt'],
  variants: null,
  requests: {
    en: [
      (s) => `card is in, pictures of the ${occasion(s)}.`,
      (s) => `Import the photos from the ${occasion(s)}.`,
      (s) => `The ${occasion(s)} pictures should be in the gallery tonight.`,
      () => 'New card in the reader, same as always.',
      (s) => `Get the ${occasion(s)} off the camera and online.`,
    ],
    de: [
      (s) => `karte steckt, Bilder von „${occasion(s)}“.`,
      (s) => `Hol die Fotos „${occasion(s)}“ von der Kamera.`,
      (s) => `Die Bilder „${occasion(s)}“ müssen in die Galerie.`,
      () => 'Neue Speicherkarte ist drin, wie immer bitte.',
      (s) => `Importier bitte „${occasion(s)}“.`,
    ],
  },
  answers: {
    en: [(s) => `${album(s)} is in the gallery.`, () => 'Imported; the captions are a draft.'],
    de: [(s) => `${album(s)} ist in der Galerie.`, () => 'Importiert, die Unterschriften sind ein Entwurf.'],
  },
  steps: [
    { key: 'folder', calls: (s) => [call('fs.mkdir', { path: album(s) }, 'created')] },
    {
      key: 'copy',
      after: ['folder'],
      fails: 'Error: File not found - /media/card/DCIM',
      calls: (s) => [shell(`exiftool -r -d %Y%m%d-%H%M%S -o ${album(s)} /media/card/DCIM`, `${s.random.int(40, 600)} image files copied`)],
    },
    {
      key: 'duplicates',
      after: ['copy'],
      optional: true,
      calls: (s) => [shell(`rdfind -deleteduplicates true ${album(s)}`, `Deleted ${s.random.int(0, 20)} files.`)],
    },
    { key: 'rotate', after: ['copy'], optional: true, calls: (s) => [shell(`jhead -autorot ${album(s)}`, 'Modified')] },
    {
      key: 'thumbnails',
      after: ['duplicates', 'rotate', 'copy'],
      calls: (s) => [shell(`vipsthumbnail --size 480 -o thumbs/%s.webp ${album(s)}`)],
    },
    {
      key: 'captions',
      after: ['copy'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `${album(s)}/captions.yaml`,
            content: `title: ${occasion(s)}\nfirst: ${s.random.pick(['Start at noon', 'Am Steg', 'Before the rain', 'Alle zusammen', 'Late light'])}\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'gallery',
      after: ['thumbnails', 'captions'],
      calls: (s) => [edit('gallery.json', '"albums": [', `"albums": [\n    "${album(s)}",`)],
    },
  ],
}
