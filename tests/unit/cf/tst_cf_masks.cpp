// Land that a mask beside the grid tells: which variables are masks, that it is blank only where that is asked for, and that what is blank
// by fill values stays so.

#include <QTest>

#include <algorithm>

#include "core/base/error.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

enum Dims { S, Eta, Xi };
using Texts = std::vector<std::pair<std::string, std::string>>;

/// Two layers of three rows of four nodes; the mask is 0, 1, 0, 1, … and so on.
struct Sea : test::MadeCfFile {
  explicit Sea(const std::string& mask, const Texts& said = {}, bool filled = false)
      : MadeCfFile({{"s_rho", 2}, {"eta_rho", 3}, {"xi_rho", 4}}) {
    std::vector<double> east, north, values, flags;
    for (int n = 0; n < 12; ++n) {
      east.push_back(n % 4);
      north.push_back(n / 4);
      flags.push_back(n % 2);
    }
    for (int n = 0; n < 24; ++n) values.push_back(filled && n % 3 == 0 ? -99 : n);
    add("lon_rho", {Eta, Xi}, east, {{"units", "degrees_east"}});
    add("lat_rho", {Eta, Xi}, north, {{"units", "degrees_north"}});
    cf::Variable& temp = add("temp", {S, Eta, Xi}, values, {{"coordinates", "lon_rho lat_rho"}});
    if (filled) temp.attributes.push_back({"_FillValue", {}, {-99}, true, true});
    add(mask, {Eta, Xi}, flags, said);
  }
  /// What to take for land, of the last open(); null where there is nothing to choose.
  const fields::ReadingChoice* choice() const {
    const auto found =
        std::find_if(choices.begin(), choices.end(), [](const auto& each) { return each.option == "land"; });
    return found == choices.end() ? nullptr : &*found;
  }
  std::vector<double> blanks(const arrays::Options& options = {{"land", "blank"}}) {
    return allValues(open(options), "iblank");
  }
};

std::vector<double> layers(const std::function<bool(int node, int place)>& isValid) {
  std::vector<double> all;
  for (int n = 0; n < 24; ++n) all.push_back(isValid(n, n % 12) ? 1 : 0);
  return all;
}

}  // namespace

class TestCfMasks : public QObject {
  Q_OBJECT
 private slots:
  void landIsBlankWhereItIsAskedFor();
  void masksSayWhatIsLand();
  void whatIsFilledStaysBlank();
};

void TestCfMasks::landIsBlankWhereItIsAskedFor() {
  Sea sea("mask_rho");
  for (const arrays::Options& options : {arrays::Options{}, arrays::Options{{"land", "data"}}}) {
    const auto reader = sea.open(options);
    QVERIFY(!reader.description().blocks[0].hasIblank);
    QVERIFY(sea.choice() && sea.choice()->now == 0);
    QCOMPARE(sea.choice()->atFirst, std::optional<std::size_t>(1));
    QVERIFY(sea.explain.find("left out, on other grids: mask_rho;") != std::string::npos);
  }
  const auto reader = sea.open({{"land", "blank"}});
  QVERIFY(reader.description().blocks[0].hasIblank);
  QVERIFY(sea.explain.find("mask_rho") != std::string::npos);
  QVERIFY(sea.explain.find("left out") == std::string::npos);  // it is used
  QCOMPARE(sea.choice()->now, std::size_t(1));
  QCOMPARE(allValues(reader, "iblank"), layers([](int, int place) { return place % 2 == 1; }));
  // A part of it, as pages are read.
  std::vector<std::byte> part(2 * 2 * sizeof(std::int16_t));
  const int number = reader.description().find(0, "iblank");
  reader.read(static_cast<std::uint32_t>(number), 0, {{1, 2, 1}, {2, 1, 1}}, std::span(part).first(4));
  QVERIFY(part[0] == std::byte{1} && part[2] == std::byte{0});
  QVERIFY(!errorOf<Invalid>([&] { (void)sea.open({{"land", "sea"}}); }).empty());
}

void TestCfMasks::masksSayWhatIsLand() {
  const auto odd = layers([](int, int place) { return place % 2 == 1; });
  const auto even = layers([](int, int place) { return place % 2 == 0; });
  QCOMPARE(Sea("lsm", {{"standard_name", "land_binary_mask"}}).blanks(), even);
  QCOMPARE(Sea("lsm", {{"standard_name", "sea_binary_mask"}}).blanks(), odd);
  // CROCO's mask of water has the wrong one of these names.
  QCOMPARE(Sea("mask_rho", {{"standard_name", "land_binary_mask"}}).blanks(), odd);
  QCOMPARE(Sea("m", {{"option_0", "water"}, {"option_1", "land"}}).blanks(), even);
  Sea flags("kinds", {{"flag_meanings", "land water"}});
  flags.file.variables.back().attributes.push_back({"flag_values", {}, {1, 0}, true, true});
  QCOMPARE(flags.blanks(), even);
  // What says nothing of land is none, and neither is what lies on other nodes.
  Sea other("kinds", {{"flag_meanings", "sand mud"}});
  QVERIFY(other.blanks().empty() && !other.choice());
  Sea elsewhere("kinds");
  elsewhere.add("mask_u", {Xi, Eta}, std::vector<double>(12, 0));
  QVERIFY(elsewhere.blanks().empty());
}

void TestCfMasks::whatIsFilledStaysBlank() {
  Sea sea("mask_rho", {}, true);
  const auto isFilled = [](int node) { return node % 3 == 0; };
  QCOMPARE(sea.blanks({}), layers([&](int node, int) { return !isFilled(node); }));
  QCOMPARE(sea.blanks(), layers([&](int node, int place) { return !isFilled(node) && place % 2 == 1; }));
}

QTEST_APPLESS_MAIN(TestCfMasks)
#include "tst_cf_masks.moc"
