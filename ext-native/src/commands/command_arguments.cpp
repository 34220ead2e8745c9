#include "commands/command_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::uint32_t longest_seconds = 86400;

/// Words between blanks; quotation marks hold one with blanks together, as in names of directories.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const bool is_quoted = text[0] == '"';
        text.remove_prefix(is_quoted ? 1 : 0);
        const std::size_t end = std::min(text.find_first_of(is_quoted ? "\"" : " \t\r\n"), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + (is_quoted ? 1 : 0), text.size()));
    }

    return words;
}

std::optional<std::uint32_t> parse_number(std::string_view text, int base) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return !text.empty() && error == std::errc{} && end == text.data() + text.size() ? std::optional{value} : std::nullopt;
}

std::string quote(std::string_view text) { return "'" + without_controls(text) + "'"; }

/// Reads the words after one command.
class Parser {
public:
    Parser(Question question, std::string_view text) : question_(question), words_(split(text)) {}

    CommandArguments parse() {
        for (next_ = 0; next_ < words_.size(); next_++) {
            const std::string_view word = words_[next_];
            if (word == "-?" || word == "/?" || word == "?" || word == "-h" || word == "-help") {
                result_.wants_help = true;
                return result_;
            }

            if (word.size() > 1 && word[0] == '-') {
                parse_option(word);
            } else if (question_ == Question::lock_chain) {
                parse_thread(word);
            } else if (question_ == Question::broken_collections) {
                // An expression may have blanks, as in "poi(@rcx + 8)".
                result_.address += (result_.address.empty() ? "" : " ") + std::string(word);
            } else {
                throw InvalidArguments("this command takes no " + quote(word) + "; -? shows what it takes");
            }
        }

        if (result_.whole_heap && !result_.address.empty()) {
            throw InvalidArguments("give an address or -heap, not both");
        }

        return result_;
    }

private:
    void parse_option(std::string_view word) {
        if (word == "-timeout") {
            parse_seconds();
        } else if (word == "-dac") {
            parse_runtime_directory();
        } else if (word == "-full") {
            result_.whole_memory = true;
        } else if (word == "-all" && question_ == Question::lock_chain) {
            choose(ThreadChoice::all, 0);
        } else if (word == "-heap" && question_ == Question::broken_collections) {
            result_.whole_heap = true;
        } else if (word == "-stacks" && prints_verdicts()) {
            result_.all_stacks = true;
        } else {
            throw InvalidArguments("this command has no option " + quote(word) + "; -? shows what it takes");
        }
    }

    /// False for lists, which show no stacks.
    bool prints_verdicts() const {
        return question_ == Question::verdict || question_ == Question::spinners || question_ == Question::user_interface;
    }

    std::string next_word(const std::string& expected) {
        next_++;
        if (next_ >= words_.size() || words_[next_].empty()) {
            throw InvalidArguments(expected);
        }

        return std::string(words_[next_]);
    }

    void parse_runtime_directory() {
        result_.runtime_directory = next_word("-dac needs the directory of the .NET runtime, in quotation marks when it has blanks");
        // No name has one: the debugger put it there. The prefix of long paths has one of its own.
        if (result_.runtime_directory.find('?', result_.runtime_directory.starts_with(R"(\\?\)") ? 4 : 0) != std::string::npos) {
            throw InvalidArguments(
                quote(result_.runtime_directory) +
                " has a question mark: the debugger hands over no letters beyond the system's code page; give the short names that 'dir /x' shows, or a link (mklink /j)");
        }
    }

    void parse_seconds() {
        const std::string expected = "-timeout needs a number of seconds from 1 to " + std::to_string(longest_seconds);
        const auto seconds = parse_number(next_word(expected), 10);
        if (!seconds || *seconds == 0 || *seconds > longest_seconds) {
            throw InvalidArguments(expected);
        }

        result_.seconds = *seconds;
    }

    void parse_thread(std::string_view word) {
        if (word == "~*") {
            choose(ThreadChoice::all, 0);
        } else if (word == "~.") {
            choose(ThreadChoice::current, 0);
        } else if (word.starts_with("~~[") && word.ends_with(']') && word.size() > 4) {
            choose_id(word, word.substr(3, word.size() - 4));
        } else if (word.starts_with('~')) {
            const auto number = parse_number(word.substr(1), 10);
            if (!number) {
                throw InvalidArguments(quote(word) + " is no thread; give ~3 for a number of the debugger, or a system thread id such as 1a4");
            }

            choose(ThreadChoice::by_number, *number);
        } else {
            choose_id(word, word);
        }
    }

    void choose_id(std::string_view word, std::string_view digits) {
        const auto id = parse_thread_id(digits);
        if (!id) {
            throw InvalidArguments(quote(word) + " is no thread id; give it as 1a4, 0x1a4 or 0n420, or a number of the debugger as ~3");
        }

        choose(ThreadChoice::by_system_id, *id);
    }

    void choose(ThreadChoice choice, std::uint32_t value) {
        if (has_thread_) {
            throw InvalidArguments("give one thread, or -all");
        }

        has_thread_ = true;
        result_.thread = choice;
        result_.thread_value = value;
    }

    Question question_;
    std::vector<std::string_view> words_;
    std::size_t next_ = 0;
    bool has_thread_ = false;
    CommandArguments result_;
};

}

CommandArguments parse_arguments(Question question, std::string_view text) { return Parser(question, text).parse(); }

std::optional<std::uint32_t> parse_thread_id(std::string_view text) {
    if (text.starts_with("0n") || text.starts_with("0N")) {
        return parse_number(text.substr(2), 10);
    }

    return parse_number(text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text, 16);
}

}
