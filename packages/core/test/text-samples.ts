/** A manual with a title, underlined headings of two kinds, code, lists and a table. */
export const MANUAL = `Harbour control

This manual is for the crew of the harbour office. It says what to do when
a ship arrives, and whom to call when something is out of order.

Arrivals
========

A ship that is expected calls on channel 12. Answer with the berth and the
side on which it will lie. Dr. Ames keeps the list of berths, e.g. for
weekends.

Assigning a berth
-----------------

Berths are assigned by draught:

  draught    berth
  up to 4 m  north pier
  up to 7 m  east pier
  more       outer mole

Then run the program:

    berth assign --ship "$SHIP" \\
      --draught "$DRAUGHT"

    berth list --free

Things to check:

- The berth is free.
- The pilot has been told, and has
  confirmed.
- The lamps on the pier are lit.

Departures
==========

Nothing is to be done, but write down the time.
`;

/** Laid out like an RFC: body indented by three, page heads and feet, form feeds. */
export const RFC = `Harbour Working Group                                            A. Pilot
Request for Comments: 9999                                    Harbour Office
Category: Informational                                        November 2026


                     The Tide Announcement Protocol

Status of This Memo

   This memo defines a protocol for announcing tides.  It is a sample and
   defines nothing.

Abstract

   Tides are announced by a beacon.  Receivers need not answer, and
   nothing is lost when they do not listen.  The protocol has one kind of
   frame and one unit.

Table of Contents

   1. Introduction ....................................................2
   2. Frames ..........................................................2
      2.1. Heights ....................................................3

Pilot                        Informational                      [Page 1]
\f
RFC 9999             The Tide Announcement Protocol        November 2026


1.  Introduction

   A beacon sends a frame every minute.  A receiver that hears no frame
   for five minutes MUST say so, and MAY sound a horn.

   The words MUST and MAY have their usual meaning.  Times are in the time
   of the harbour, which is that of its clock tower.

2.  Frames

   A frame has the form

      +--------+--------+----------------+
      | length | kind   | height         |
      +--------+--------+----------------+

   and is sent as it is.

2.1.  Heights

   Heights are in centimetres:

   1.  above the mean,

   2.  below it.

Pilot                        Informational                      [Page 2]
\f
RFC 9999             The Tide Announcement Protocol        November 2026


   Heights above 30 metres are errors.

3.  Security Considerations

   Whoever can send frames can announce a tide that is not there.  Ships
   are told to look out of the window.

Author's Address

   A. Pilot
   Harbour Office
`;

export const MAIL = `From: Ada Pilot <ada@harbour.example>
To: office@harbour.example
Date: Mon, 30 Nov 2026 09:12:00 +0000
Subject: Lamps on the
 east pier
Message-ID: <1@harbour.example>

Hello,

two lamps on the east pier are out. Could somebody have a look before the
evening?

On Sunday, the office wrote:
> Please report what is broken. We have a budget for lamps this month, and
> would like to order them together.
>
> The office

They are numbers 4 and 7.

Ada
`;

export const LOG = Array.from(
  { length: 60 },
  (_, n) =>
    `2026-11-30T09:${String(n).padStart(2, "0")}:00Z ${n % 7 === 0 ? "ERROR" : "INFO"} gate ${n} moved${n % 7 === 0 ? "\n    at gate.open (gate.js:12)\n    at main (main.js:3)" : ""}\n`,
).join("");
