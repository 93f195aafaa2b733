// The workflows of the sample folder, by the name of their file. They work in that folder as it is, and in others with small changes.

export const sampleWorkflows = {
  'tidy-a-folder.yaml': `name: Tidy a folder
description: Moves the files of a folder into subfolders by their type, after your approval.
inputs:
  - name: folder
    type: file
    description: The folder to tidy
    required: true
    default_value: inbox
nodes:
  - id: list
    kind: tool
    tool: fs.list
    arguments: { path: "{{inputs.folder}}" }
  - id: plan
    kind: transform
    input:
      folder: "{{inputs.folder}}"
      entries: "{{nodes.list.output.entries}}"
    expression: |
      (
        $folders := {
          "md": "documents", "txt": "documents", "pdf": "documents",
          "csv": "tables", "json": "tables",
          "png": "pictures", "jpg": "pictures", "svg": "pictures"
        };
        $moves := [entries[type = "file"].(
          $target := $lookup($folders, $lowercase($split(path, ".")[-1]));
          {
            "name": path,
            "from": $$.folder & "/" & path,
            "to": $$.folder & "/" & ($target ? $target : "other") & "/" & path
          }
        )];
        { "moves": $moves, "text": $join($moves.(name & " to " & to), "\\n") }
      )
  - id: is_tidy
    kind: condition
    condition: { left: "{{nodes.plan.output.moves}}", comparison: empty }
  - id: ask
    kind: approval
    message: |
      Move these files?
      {{nodes.plan.output.text}}
  - id: each
    kind: for_each
    items: "{{nodes.plan.output.moves}}"
    concurrency: 1
    result: "{{nodes.move.output.to}}"
  - id: move
    kind: tool
    within: each
    tool: fs.move
    arguments:
      from: "{{loops.each.item.from}}"
      to: "{{loops.each.item.to}}"
      create_parents: true
edges:
  - list -> plan
  - plan -> is_tidy
  - is_tidy -> ask when false
  - ask -> each when approved
output: "{{nodes.each.output}}"
`,
  'test-and-fix.yaml': `name: Test and fix
description: Runs the tests, and lets an agent fix the code until they pass.
nodes:
  - id: rounds
    kind: repeat
    until: { left: "{{nodes.test.output.exit_code}}", comparison: equals, right: "0" }
    most_rounds: 5
    result: "{{nodes.test.output.output}}"
  - id: test
    kind: tool
    within: rounds
    tool: shell.exec
    arguments: { command: npm test }
    # Repeating the tests does no harm, so they are repeated after a crash without a question.
    idempotent: true
  - id: passed
    kind: condition
    within: rounds
    condition: { left: "{{nodes.test.output.exit_code}}", comparison: equals, right: "0" }
  - id: fix
    kind: agent
    within: rounds
    prompt: |
      A test of this folder fails. Find out why, and fix the code. Do not change the test.
      This is the output of npm test:
      {{nodes.test.output.output}}
edges:
  - test -> passed
  - passed -> fix when false
output: "{{nodes.rounds.output}}"
`,
  'two-reviews.yaml': `name: Two reviews
description: Two agents review a file at the same time. Both reviews are written to one file.
inputs:
  - name: file
    type: file
    description: The file to review
    required: true
    default_value: greeting.js
nodes:
  - id: read
    kind: tool
    tool: fs.read
    arguments: { path: "{{inputs.file}}" }
  - id: correctness
    kind: agent
    title: Review of correctness
    prompt: |
      Review {{inputs.file}} for mistakes. Do not change anything. Answer with a list, the most important mistake first.
      {{nodes.read.output.content}}
  - id: clarity
    kind: agent
    title: Review of clarity
    prompt: |
      Review {{inputs.file}} for names and texts that are hard to understand. Do not change anything. Answer with a list.
      {{nodes.read.output.content}}
  - id: save
    kind: tool
    tool: fs.write
    arguments:
      path: review.md
      content: |
        # Review of {{inputs.file}}

        ## Correctness

        {{nodes.correctness.output}}

        ## Clarity

        {{nodes.clarity.output}}
edges:
  - read -> correctness
  - read -> clarity
  - correctness -> save
  - clarity -> save
output: review.md
`,
  'nightly-report.yaml': `name: Nightly report
description: Counts lines, runs the tests, and writes a report. It needs no model, and no approval if its calls are approved with it.
nodes:
  - id: folder
    kind: tool
    tool: fs.mkdir
    arguments: { path: reports }
    idempotent: true
  - id: lines
    kind: tool
    tool: shell.exec
    arguments:
      command: wc -l ./*.js > reports/lines.txt
    idempotent: true
  - id: test
    kind: tool
    tool: shell.exec
    arguments:
      command: npm test > reports/tests.txt
    idempotent: true
  - id: passed
    kind: condition
    condition: { left: "{{nodes.test.output.exit_code}}", comparison: equals, right: "0" }
  - id: write_passed
    kind: tool
    tool: shell.exec
    arguments:
      command: date "+%F, the tests passed." > reports/summary.txt
    idempotent: true
  - id: write_failed
    kind: tool
    tool: shell.exec
    arguments:
      command: date "+%F, the tests failed." > reports/summary.txt
    idempotent: true
  - id: report
    kind: tool
    tool: shell.exec
    arguments:
      command: cat reports/summary.txt reports/lines.txt reports/tests.txt > reports/report.txt
    idempotent: true
edges:
  - folder -> lines
  - folder -> test
  - test -> passed
  - passed -> write_passed when true
  - passed -> write_failed when false
  - lines -> report
  - write_passed -> report
  - write_failed -> report
output: reports/report.txt
`,
} as const

export const sampleWorkflowsReadme = `# Workflows

Four workflows to try, and to change. Each of them works in this folder.

| file | what it does |
|---|---|
| \`tidy-a-folder.yaml\` | sorts the files in \`inbox\` into subfolders, after your approval |
| \`test-and-fix.yaml\` | runs the test, and lets an agent fix the code until it passes |
| \`two-reviews.yaml\` | lets two agents review a file at the same time, and writes both reviews to \`review.md\` |
| \`nightly-report.yaml\` | counts lines, runs the test, and writes \`reports/report.txt\`; for a schedule |

The second and the third need a model. To start one in the terminal:

    tandem workflows save workflows/tidy-a-folder.yaml
    tandem workflows start "Tidy a folder"

Or create a workflow on the Workflows page, and paste the text there. You can undo everything that a run and its agents did, in the timelines of their conversations.
`
