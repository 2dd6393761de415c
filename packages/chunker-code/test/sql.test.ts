import { expect, test } from "vitest";
import { checked } from "./check.js";
import { symbolsOf } from "./chunk.js";

const table = (text: string): unknown[] =>
  symbolsOf(checked(text, "schema.sql")).map(({ kind, qualifiedName, line, endLine }) => [
    kind,
    qualifiedName,
    line,
    endLine,
  ]);

test("SQL Server: a batch ends at GO, and a procedure holds all statements up to it", () => {
  const text = `-- Ships.
CREATE TABLE [dbo].[Ships] (
  [Id] INT NOT NULL
)
GO
/* Finds; ships. */
CREATE OR ALTER PROCEDURE [dbo].[FindShips]
  @name NVARCHAR(50) = NULL
AS
SET NOCOUNT ON;
SELECT * FROM Ships WHERE Name = @name;
BEGIN TRY
  SELECT 1;
END TRY
go
CREATE PROC dbo.Close AS UPDATE Ships SET IsOpen = 0; RETURN 1;
GO
CREATE UNIQUE CLUSTERED INDEX ix_ships ON dbo.Ships (Id);
`;
  expect(table(text)).toEqual([
    ["table", "dbo.Ships", 2, 4],
    ["procedure", "dbo.FindShips", 7, 14],
    ["procedure", "dbo.Close", 16, 16],
    ["index", "ix_ships", 18, 18],
  ]);
});

test("Oracle: a package ends at a slash", () => {
  const text = `CREATE OR REPLACE PACKAGE BODY harbour AS
  PROCEDURE open IS BEGIN NULL; END;
  FUNCTION depth RETURN NUMBER IS BEGIN RETURN 4 / 2; END depth;
END harbour;
/
CREATE TABLE t (a NUMBER);
`;
  expect(table(text)).toEqual([
    ["package", "harbour", 1, 4],
    ["table", "t", 6, 6],
  ]);
});

test("MySQL: behind DELIMITER a statement ends at what that says, and strings know the backslash", () => {
  const text = `CREATE TABLE \`a\` (b varchar(9) DEFAULT 'it\\'s; //');
DELIMITER //
CREATE PROCEDURE \`p\`()
BEGIN
  SELECT 'http://x;'; SELECT 2;
END//
DELIMITER ;
CREATE VIEW v AS SELECT 1;
`;
  expect(table(text)).toEqual([
    ["table", "a", 1, 1],
    ["procedure", "p", 3, 6],
    ["view", "v", 8, 8],
  ]);
});
