/** Requests of `random.jsonl`; no two ask for the same thing. */
export const english = `Convert the recipe for pancakes to six people.
Why does the login page flash white?
Add a column for the weight of parcels.
Name the moons of Saturn in a table.
The thermostat log has holes in April.
Draw a floor plan from these measurements.
Which words in the essay are repeated too often?
Set the default zoom to 12.
I need a regular expression for license plates.
Count the empty folders.
Rewrite the legal notice so that teenagers understand it.
How does the scheduler choose the next job?
Give the robot a friendlier greeting.
Check if the train table contradicts itself.
Merge the two address books.
The video starts at the wrong second.
What happens if the sensor is unplugged?
Estimate the paint for three walls.
Turn the poem into a song with a chorus.
Speed up the query for open orders.
Find a date in October when all four are free.
Is this chess position a draw?
Make a quiz about rivers.
The tooltip stays open forever.
Pick colors that color-blind people can tell apart.
Which plants on the list need shade?
Extract the phone numbers from the flyer.
Write a limerick about compilers.
The gearbox model is missing a tooth.
Show me how memory is freed in the decoder.
Propose a seating order for 40 guests.
Our newsletter ends up in spam.
Replace the deprecated date picker.
How many kilometers did we hike in total?
Simplify the fraction class.
Add subtitles to the interview.
What is the oldest file here?
Simulate the queue at the bakery.
Explain Kalman filters with the code at hand.
Remove duplicate photos.
The invoice number skips from 88 to 90.
Choose a title for chapter four.
Write a mock for the weather station.
The elevator panel shows the wrong floor.
Group the survey answers by age.
How risky is it to change the session cookie?
Design a badge for volunteers.
The unit of the pressure is missing.
Translate the menu into Spanish.
Find the slowest page.
Plot the heart rate of my last run.
Can two users book the same seat?
Prepare flash cards for irregular verbs.
The backup battery alarm never rings.
Unify the spelling of street names.
Which commit broke the slider?
Invent names for five planets.
Move the config for the printer to a new format.
Predict when the water filter must be changed.
The board game rules contradict each other in section 3.
Make the audio louder without clipping.
Describe the database to a new colleague.
Fix the rounding in the loan calculator.
Add a map of the bus stops.
What does error E-77 mean?
Compute the carbon footprint of the trip.
The parser chokes on emoji.
Collect quotes about patience.
Rank the essays by readability.
Sketch a logo with two triangles.
Where is the cursor position saved?
Make the drawing A3 instead of A4.
Find all functions without a test.
Suggest a birthday present for a geologist.
The stopwatch drifts by a second per hour.
Compare the two contracts for the phone line.
Put the glossary in alphabetical order.
Which customers moved last year?
Reduce the size of the installer.
The checkbox cannot be reached by keyboard.
Write alt texts for the museum pictures.
How would you store a family tree?
Calculate the angles of the roof.
Make an index of the sheet music.
The microphone test hangs at 50 %.
Verify the proof of lemma 2.
Create an agenda for Thursday.
Spot the mistake in this circuit.
What is a good limit for uploads?
Hide prices for guests.
The crossword has two solutions.
Split the monolithic stylesheet.
Find rhymes for lantern.
Determine the frequency of each DNA base.
Bring the slides down to ten.
Why is the queue processed backwards?
List free courses on statistics.
Change the greeting in the voicemail.
Turn the spreadsheet formulas into code.
Who wrote the ticket about flickering lights?
Detect the language of each comment.
The calendar feed has the wrong time zone.
Think of a puzzle for the treasure hunt.
Let users undo the deletion of a note.
Interpret the blood test table.
The door sensor reports open all night.
Write the changelog entry about icons.
Generate a maze of 20 by 20.
Evaluate whether we need a cookie banner.
Insert page breaks before each chapter.
Which of the ladders is long enough?
The scroll position is lost when going back.
Label the axes of the climate diagram.
Shrink the photos for the website.
Write an obituary for our old server.
Estimate how long the candle burns.
Draw the state machine of the vending machine.
The search ignores hyphens.
Explain why the sky map is mirrored.
Give me five uses for old jars.
Find the author of the anonymous letter by style.
Pad the numbers with zeros.
Measure the contrast of the buttons.
Create a budget for the garden.
The game crashes when two players jump at once.
Recognize the birds in the recording.
Which cables do I need for the projector?
Make a timeline of the Hanseatic League.
Reformat the bibliography.
The coupon can be used twice.
Guess the age of the manuscript.
Write a function that folds paper sizes.
How long is the longest word in the dictionary file?
Arrange the tiles without gaps.
Set up a countdown to New Year.
The compass in the app points south.
Summarize the court ruling.
Find a quieter fan for the case.
Choose the best three photos.
Turn off the animation for people who dislike motion.
Compute the tip for a table of seven.
The wiki has pages that nothing links to.
Look for typos in the poster.
Which thread holds the lock?
Write a job advertisement for a beekeeper.
Make the exported file open in old spreadsheets.
Teach me the basics of knitting patterns.
Decode the message in the picture.
The subtotal ignores the discount.
Plan a vegan menu for a week.`.split('\n')

export const german = `Rechne die Zutaten auf zwölf Personen um.
Der Rasenmäher-Plan überschneidet sich mit den Ruhezeiten.
Welche Bücher sind doppelt im Regal?
Erkläre die Formel in Zelle D7.
Baue einen Würfel mit unterschiedlichen Wahrscheinlichkeiten.
Der Drucker verschluckt die letzte Zeile.
Suche ein Zitat über das Meer.
Wie alt ist die älteste Münze der Sammlung?
Mach aus dem Protokoll eine Aufgabenliste.
Die Ampel im Modell bleibt rot.
Schlage Namen für den Hund vor.
Zeichne den Stammbaum der Familie.
Wo wird die Lautstärke gespeichert?
Verkleinere die Schrift im Kopf der Seite.
Welche Schrauben fehlen in der Stückliste?
Der Kalender zeigt den Feiertag doppelt.
Dichte vier Zeilen zum Abschied.
Prüfe, ob die Brücke im Modell trägt.
Ordne die Noten nach Tonart.
Was bedeutet die gelbe Lampe am Gerät?
Zähle die Silben im Gedicht.
Das Formular nimmt keine Bindestriche an.
Schätze die Heizkosten für den Winter.
Finde einen Ersatz für die Bildergalerie.
Wie funktioniert die Gangschaltung in der Simulation?
Schreibe eine Anleitung für den Samowar.
Der Zug im Fahrplan fährt rückwärts durch die Zeit.
Ersetze die roten Symbole durch blaue.
Welche Gäste essen kein Fleisch?
Bestimme den Schwerpunkt der Figur.
Die Stoppuhr zählt in die falsche Richtung.
Erfinde ein Rätsel mit drei Türen.
Wie viele Eimer Farbe brauche ich?
Das Hörbuch hat in Kapitel zwei ein Knacken.
Entferne die Wasserzeichen aus der Vorschau.
Vergleiche die beiden Fahrräder.
Woher stammt das Wort Kladde?
Die Temperaturkurve hat einen Ausreißer.
Entwirf eine Flagge für den Schrebergarten.
Welche Zeile verursacht den Absturz?
Rate, welches Instrument hier spielt.
Mach die Liste der Pilze vollständig.
Der Warnton ist zu leise.
Schreib eine Glosse über Warteschlangen.
Wann geht am Polarkreis die Sonne unter?
Teile die Gruppe in faire Mannschaften.
Das Bild im Briefkopf ist verzerrt.
Kürze die Rede auf fünf Minuten.
Wie wird das Passwort gehasht?
Zeig mir den kürzesten Weg durch das Museum.
Der Abstand zwischen den Spalten ist ungleich.
Stelle die Uhren im Spiel auf Zeitlupe.
Welche Verträge laufen im Herbst aus?
Baue ein Quiz über Vogelstimmen.
Der Roboter dreht sich im Kreis.
Errechne den Bremsweg bei Nässe.
Finde den Widerspruch in der Zeugenaussage.
Die Playlist wiederholt immer dasselbe Lied.
Gestalte eine Urkunde.
Was kostet die Überfahrt mit der Fähre?
Ergänze die Legende um Wanderwege.
Der Kontrast im Nachtmodus ist schlecht.
Übertrage die Rezeptkarten in eine Tabelle.
Warum ist der Index größer als die Daten?
Schreib einen Brief an das Gartenamt.
Die Fische im Bildschirmschoner schwimmen rückwärts.
Welche Primzahlen liegen zwischen 900 und 950?
Lies die Maße aus der Skizze ab.
Der Newsletter enthält einen toten Verweis.
Plane eine Radtour ohne Steigungen.
Wie teuer war der Umbau insgesamt?
Mach aus den Stichworten einen Lebenslauf.
Das Kreuzworträtsel passt nicht auf eine Seite.
Erstelle ein Muster für Topflappen.
Wer ist am häufigsten zu spät gekommen?
Die Animation ruckelt auf alten Rechnern.
Nenne Vor- und Nachteile von Wärmepumpen.
Bereinige die Liste der Spender.
Wie spricht man den Namen des Flusses aus?
Der Filter lässt leere Einträge durch.
Male ein Diagramm der Gezeiten.
Finde heraus, warum der Lüfter nicht stoppt.
Übe mit mir unregelmäßige Verben.
Das Inhaltsverzeichnis springt auf falsche Seiten.
Welche Pflanzen vertragen Frost?
Stelle die Koordinaten auf Grad und Minuten um.
Der Gutschein gilt länger als gedacht.
Setze die Fußnoten ans Ende.
Wie viele Schritte sind es bis zum Leuchtturm?
Beschreibe das Bild für blinde Menschen.
Die Waage zeigt Gramm statt Kilo.
Sortiere die Knöpfe nach Durchmesser.
Warum fehlen Buchstaben im Ausdruck?
Verfasse eine Hausordnung.
Der Zufallsgenerator liefert zu oft die Sechs.
Welche Straßen wurden umbenannt?
Ermittle die Nährwerte der Suppe.
Das Menü verdeckt die Überschrift.
Gib mir eine Eselsbrücke für die Planeten.
Wie liest das Programm die Lochkarten?
Rekonstruiere die fehlende Seite.
Die Karte des Friedhofs ist spiegelverkehrt.
Rechne die Prozente nach.
Welcher Stecker passt zu diesem Netzteil?
Mach die Schaltflächen größer.
Der Wecker klingelt am Sonntag.
Stelle Fragen für ein Interview mit der Imkerin zusammen.
Das Programm vergisst die Fenstergröße.
Welche Melodie steckt in der Datei?
Leite die Gleichung Schritt für Schritt her.
Die Umfrage hat mehr Antworten als Teilnehmer.
Erzeuge ein Sudoku mittlerer Schwierigkeit.
Was ist bei Mondfinsternis zu beachten?
Der Export trennt mit Komma statt Semikolon.
Schreibe die Szene aus Sicht der Katze.
Finde eine günstigere Versicherung für das Lastenrad.
Die Fortschrittsanzeige bleibt bei 98 Prozent.
Wie heißt der Algorithmus in sort_c?
Fasse das Märchen in zwei Sätzen zusammen.
Der Bewegungsmelder reagiert auf Regen.
Stelle eine Reiseapotheke zusammen.
Welche Teile des Motors sind verschlissen?
Das Wasserzeichen fehlt auf Seite neun.
Verwandle die Tabelle in ein Balkendiagramm.
Woran erkennt man echte Bernsteine?
Die Anmeldung akzeptiert Leerzeichen im Namen.
Baue ein Labyrinth ohne Sackgassen.
Wie hoch ist die Miete pro Quadratmeter?
Korrigiere die Kommasetzung im Aufsatz.
Der Timer läuft im Hintergrund nicht weiter.
Berechne den Goldenen Schnitt des Plakats.
Welche Lieder eignen sich für Kinder?
Das Mikroskopbild ist zu dunkel.
Suche Sponsoren für den Lauf.
Wie lange reicht das Brennholz?
Der Chat zeigt gelöschte Nachrichten.
Richte die Antenne rechnerisch aus.
Schreibe einen Nachruf auf die Telefonzelle.
Die Zahlenreihe bricht nach der achten Stelle ab.
Welche Dateien sind größer als ein Film?
Entwirf einen Stundenplan ohne Freistunden.
Das Schachbrett hat neun Spalten.
Übersetze die Inschrift aus dem Lateinischen.
Wie viele Kalorien verbrennt Rudern?
Der Barcode lässt sich nicht lesen.
Gruppiere die Fundstücke nach Epoche.
Schlage eine Farbe für die Haustür vor.
Die Leiter im Spiel endet in der Luft.
Nenne berühmte Uhrmacherinnen.
Mach den Text der Einladung weniger steif.`.split('\n')

/** Corrections of `random.jsonl`, each used at most once. */
export const singleCorrections = `No, the blue one.
You counted the header.
That is the poem of last year.
Die Katze heißt anders.
Das Regal steht im Flur, nicht im Keller.
The second half is missing.
Nicht multiplizieren, addieren.
I meant the museum in Lyon.
Der Fluss ist die Weser.
Kilometers, not miles.
Die Tabelle ist verdreht.
Her name is spelled with a K.
Such doch im Archiv.
The picture is upside down.
Nur die ungeraden Seiten.`.split('\n')
